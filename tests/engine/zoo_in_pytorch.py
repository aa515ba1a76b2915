"""The cells of the zoo as PyTorch modules, written from their papers: what formulas answer to."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from abacist.cells import Layout


class Reference(nn.Module):
    """A layer with parameters under the names of a layout; it maps inputs, (time, input), to (time, unit)."""

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.input_size, self.hidden = layout.inputs, layout.hidden
        for name, shape in layout.shapes.items():
            if name.startswith("rnn."):
                setattr(self, name.removeprefix("rnn."), nn.Parameter(torch.zeros(shape)))

    def forward(self, inputs: Any) -> tuple[Any, None]:
        zeros = torch.zeros(self.hidden, dtype=inputs.dtype)
        h, c, path = zeros, zeros, []
        for x in inputs:
            h, c = self.step(x, h, c)
            path.append(h)
        return torch.stack(path), None

    def step(self, x: Any, h: Any, c: Any) -> tuple[Any, Any]:
        raise NotImplementedError

    def gates(self, x: Any, h: Any) -> Any:
        """The sums of all gates, as `torch.nn.LSTMCell` makes them."""
        own: Any = self
        linear: Any = nn.functional.linear
        sums = linear(x, own.weight_ih_l0, own.bias_ih_l0) + linear(h, own.weight_hh_l0, own.bias_hh_l0)
        return sums.split(self.hidden)


class Lstm1997(Reference):
    def step(self, x: Any, h: Any, c: Any) -> tuple[Any, Any]:
        i, o, z = self.gates(x, h)
        c = c + torch.sigmoid(i) * 2 * torch.tanh(z / 2)
        return torch.sigmoid(o) * torch.tanh(c / 2), c


class Peephole(Reference):
    def step(self, x: Any, h: Any, c: Any) -> tuple[Any, Any]:
        s: Any = self
        i = torch.sigmoid(s.W_xi @ x + s.W_hi @ h + s.w_ci * c + s.b_i)
        f = torch.sigmoid(s.W_xf @ x + s.W_hf @ h + s.w_cf * c + s.b_f)
        c = f * c + i * torch.tanh(s.W_xc @ x + s.W_hc @ h + s.b_c)
        o = torch.sigmoid(s.W_xo @ x + s.W_ho @ h + s.w_co * c + s.b_o)
        return o * torch.tanh(c), c


class LstmBlind(Reference):
    def step(self, x: Any, h: Any, c: Any) -> tuple[Any, Any]:
        s: Any = self
        sums = {gate: getattr(s, f"W_x{gate}") @ x + getattr(s, f"b_x{gate}") for gate in "ifgo"}
        i, f, g, o = (sums[gate] + getattr(s, f"b_h{gate}") for gate in "ifgo")
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


class Cifg(Reference):
    def step(self, x: Any, h: Any, c: Any) -> tuple[Any, Any]:
        i, z, o = self.gates(x, h)
        c = torch.lerp(c, torch.tanh(z), torch.sigmoid(i))
        return torch.sigmoid(o) * torch.tanh(c), c


class Janet(Reference):
    def step(self, x: Any, h: Any, c: Any) -> tuple[Any, Any]:
        s, g = self.gates(x, h)
        return torch.sigmoid(s) * h + torch.sigmoid(1 - s) * torch.tanh(g), c


class Ugrnn(Reference):
    def step(self, x: Any, h: Any, c: Any) -> tuple[Any, Any]:
        new, g = self.gates(x, h)
        return torch.lerp(torch.tanh(new), h, torch.sigmoid(g + 1)), c


class Irnn(Reference):
    def step(self, x: Any, h: Any, c: Any) -> tuple[Any, Any]:
        return torch.relu(self.gates(x, h)[0]), c


class Linear(Reference):
    """What is linear in its state: h′ = a ⊙ h + b, a and b functions of the input; all steps at once."""

    def forward(self, inputs: Any) -> tuple[Any, None]:
        a, b = self.coefficients(inputs)
        steps = len(inputs)
        products = [[torch.prod(a[s + 1 : t + 1], 0) for s in range(t + 1)] for t in range(steps)]
        sums = [sum(products[t][s] * b[s] for s in range(t + 1)) for t in range(steps)]
        return torch.stack([torch.as_tensor(own) for own in sums]), None

    def coefficients(self, x: Any) -> tuple[Any, Any]:
        raise NotImplementedError


class MinGru(Linear):
    def coefficients(self, x: Any) -> tuple[Any, Any]:
        s: Any = self
        z = torch.sigmoid(x @ s.W_z.T + s.b_z)
        return 1 - z, z * (x @ s.W_h.T + s.b_h)


class MinLstmUnscaled(Linear):
    def coefficients(self, x: Any) -> tuple[Any, Any]:
        s: Any = self
        i = torch.sigmoid(x @ s.W_i.T + s.b_i)
        return torch.sigmoid(x @ s.W_f.T + s.b_f), i * (x @ s.W_h.T + s.b_h)


class MinLstm(Linear):
    def coefficients(self, x: Any) -> tuple[Any, Any]:
        s: Any = self
        f, i = x @ s.W_f.T + s.b_f, x @ s.W_i.T + s.b_i
        share = torch.sigmoid(nn.functional.logsigmoid(f) - nn.functional.logsigmoid(i))
        return share, (1 - share) * (x @ s.W_h.T + s.b_h)


class Diagonal(Linear):
    def coefficients(self, x: Any) -> tuple[Any, Any]:
        s: Any = self
        return torch.sigmoid(x @ s.W_a.T + s.b_a), x @ s.W_b.T + s.b_b


class DiagonalSigned(Linear):
    def coefficients(self, x: Any) -> tuple[Any, Any]:
        s: Any = self
        return 2 * torch.sigmoid(2 * (x @ s.W_a.T + s.b_a)) - 1, x @ s.W_b.T + s.b_b


class Selective(Reference):
    """The state is one number for each unit."""

    def step(self, x: Any, h: Any, c: Any) -> tuple[Any, Any]:
        s: Any = self
        u, delta = s.W_u @ x, nn.functional.softplus(s.W_delta @ x + s.b_delta)
        c = torch.exp(delta * -torch.exp(s.A)) * c + delta * (s.W_B @ x) * u
        return (s.W_C @ x) * c + s.D * u, c


class Slstm(Reference):
    """Without the stabiliser, which changes nothing but what can be computed."""

    def step(self, x: Any, h: Any, c: Any) -> tuple[Any, Any]:
        i, f, z, o = self.gates(x, h)
        memory, normaliser = c if isinstance(c, tuple) else (c, c)
        memory = torch.sigmoid(f) * memory + torch.exp(i) * torch.tanh(z)
        normaliser = torch.sigmoid(f) * normaliser + torch.exp(i)
        return torch.sigmoid(o) * memory / normaliser, (memory, normaliser)


class Mlstm(Reference):
    """A matrix and its normaliser, without the stabiliser."""

    def step(self, x: Any, h: Any, c: Any) -> tuple[Any, Any]:
        s: Any = self
        q, k, v = s.W_q @ x + s.b_q, (s.W_k @ x + s.b_k) / len(s.b_k) ** 0.5, s.W_v @ x + s.b_v
        f, i = torch.sigmoid(s.W_f @ x + s.b_f), torch.exp(s.W_i @ x + s.b_i)
        matrix, normaliser = c if isinstance(c, tuple) else (torch.outer(c, k), 0 * k)
        matrix, normaliser = f * matrix + i * torch.outer(v, k), f * normaliser + i * k
        read = matrix @ q / torch.clamp((normaliser @ q).abs(), min=1)
        return torch.sigmoid(s.W_o @ x + s.b_o) * read, (matrix, normaliser)


class Qrnn(Reference):
    """A convolution over the word, then pooling."""

    def forward(self, inputs: Any) -> tuple[Any, None]:
        own: Any = self
        filters = [torch.stack((getattr(own, f"W1_{g}"), getattr(own, f"W2_{g}")), -1) for g in "zfo"]
        padded = nn.functional.pad(inputs.T[None], (1, 0))
        biases = torch.cat((own.b_z, own.b_f, own.b_o))
        sums: Any = nn.functional.conv1d(padded, torch.cat(filters), biases)[0].T
        z, f, o = sums.split(self.hidden, 1)
        c, path = torch.zeros_like(own.b_z), []
        for t in range(len(inputs)):
            c = torch.sigmoid(f[t]) * c + (1 - torch.sigmoid(f[t])) * torch.tanh(z[t])
            path.append(torch.sigmoid(o[t]) * c)
        return torch.stack(path), None


REFERENCES: dict[str, type[Reference]] = {
    "lstm_1997": Lstm1997,
    "peephole": Peephole,
    "cifg": Cifg,
    "janet": Janet,
    "ugrnn": Ugrnn,
    "irnn": Irnn,
    "mingru": MinGru,
    "minlstm": MinLstm,
    "minlstm_unscaled": MinLstmUnscaled,
    "qrnn": Qrnn,
    "diagonal": Diagonal,
    "diagonal_signed": DiagonalSigned,
    "selective": Selective,
    "slstm": Slstm,
    "mlstm": Mlstm,
    "lstm_blind": LstmBlind,
    "selective_open": Selective,
    "slstm_open": Slstm,
    "mlstm_open": Mlstm,
}


def reference_of(layout: Layout) -> Reference:
    """The module of a layout's cell, its weights zero."""
    return REFERENCES[layout.cell.name](layout)
