"""Printed programs, translated to LLVM statement by statement.

Printed programs say all that there is to say: loops over ranges, names that always have the same type,
calls. Numba looks for much more than that in every function, and takes most of the time of compiling to
find nothing. So a program is handed to it as one call of a function whose code is made here, straight from
the text. What is called is Numba's own, by its own types: the bits are those of the same text compiled by
Numba.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from abacist.targets.numba.name_scopes import Names, Value, names_within, plain
from abacist.targets.numba.optimisation import optimise_once

_SIGNS: dict[type[ast.AST], Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.Eq: operator.eq,
    ast.USub: operator.neg,
}

#: What takes one instruction for whole numbers.
_INSTRUCTIONS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and_",
}


def translated(module: ModuleType, text: str, name: str) -> Any:
    """The function of a printed program, whose module has been run: Numba compiles it at its first call."""
    definition = next(
        node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == name
    )
    arguments = ", ".join(own.arg for own in definition.args.args)

    def made(*kinds: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            optimise_once(context.active_code_library)
            return Translation(context, builder, vars(module), definition).function(sig, args)

        return _result(definition, kinds)(*kinds), generate

    names = {"njit": njit, "intrinsic": intrinsic, "made": made, "__name__": module.__name__}
    whole = (
        f"@intrinsic\ndef body(typing, {arguments}):\n    return made({arguments})\n\n"
        "@njit(nogil=True, error_model='numpy', no_cfunc_wrapper=True)\n"
        f"def {name}({arguments}):\n    return body({arguments})\n"
    )
    exec(compile(whole, module.__file__ or "", "exec"), names)
    return names[name]


def _result(definition: ast.FunctionDef, kinds: Sequence[Any]) -> Any:
    """The type of what a program returns at its end: nothing, a truth value, or one of its arguments."""
    names = [own.arg for own in definition.args.args]
    match definition.body[-1]:
        case ast.Return(ast.Name(name)) if name in names:
            return kinds[names.index(name)]
        case ast.Return(ast.Constant(bool()) | ast.Compare()):
            return types.boolean
        case ast.Return() as last:
            raise TypeError(f"no translation of {ast.unparse(last)} at the end")
    return types.none


class Translation:
    """One function, translated where a builder stands; `known` are the names of its module."""

    def __init__(
        self, context: Any, builder: Any, known: dict[str, Any], definition: ast.FunctionDef
    ) -> None:
        self._context, self._typing, self._builder = context, context.typing_context, builder
        self._known, self._definition = known, definition
        self._names = Names(context, builder, names_within(definition))
        self._called: dict[Any, tuple[Any, Any]] = {}
        self._break: list[Any] = []

    def function(self, signature: Any, arguments: Sequence[Any]) -> Any:
        """The function's code, in place of a call with some arguments; what it returns."""
        builder, kind = self._builder, signature.return_type
        self._end = builder.append_basic_block("end")
        self._returned = None
        if kind != types.none:
            self._returned = kind, self._names.room(kind, "returned")
        names = (own.arg for own in self._definition.args.args)
        for name, own, value in zip(names, signature.args, arguments, strict=True):
            self._names.give(name, (own, value))
        self._block(self._definition.body)
        if not builder.block.is_terminated:
            builder.branch(self._end)
        builder.position_at_end(self._end)
        return builder.load(self._returned[1]) if self._returned else self._context.get_dummy_value()

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        with self._names.within(statements):
            for statement in statements:
                self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                for target, value in zip(targets, [*map(self.value, values)], strict=True):
                    self._names.give(_id(target), value)
            case ast.Assign([ast.Name(name)], value):
                self._names.give(name, self.value(value))
            case ast.AugAssign(ast.Name(name), sign, value):
                self._names.give(name, self._applied(sign, self.value(ast.Name(name)), self.value(value)))
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds), body, []):
                self._loop(name, bounds, body)
            case ast.For(ast.Name(name), ast.Tuple(values), body, []):
                self._break.append(None)  # the same statements again and again: there is nothing to leave
                for own in values:
                    self._names.give(name, self.value(own))
                    self._block(body)
                self._break.pop()
            case ast.If(test, body, []):
                with self._builder.if_then(self._truth(test)):
                    self._block(body)
            case ast.Break() if self._break and self._break[-1] is not None:
                self._builder.branch(self._break[-1])
            case ast.Return(value) if value is not None and self._returned is not None:
                kind, place = self._returned
                self._builder.store(self._cast(self.value(value), kind), place)
                self._builder.branch(self._end)
            case ast.Expr(ast.Constant()):
                pass
            case ast.Expr(value):
                self.value(value)
            case _:
                raise TypeError(f"no translation of {ast.unparse(statement)}")

    def _loop(self, name: str, bounds: Sequence[ast.expr], body: Sequence[ast.stmt]) -> None:
        """A loop over a range, whose step is a number."""
        builder = self._builder
        step = ast.literal_eval(bounds[2]) if len(bounds) == 3 else 1
        first = self.value(bounds[0])[1] if len(bounds) > 1 else ir.Constant(ir.IntType(64), 0)
        last = self.value(bounds[min(1, len(bounds) - 1)])[1]
        before, test, inside, onwards, end = (
            builder.block,
            *(builder.append_basic_block(f"{part} {name}") for part in ("test", "loop", "next", "end")),
        )
        builder.branch(test)
        builder.position_at_end(test)
        number = builder.phi(ir.IntType(64), name)
        number.add_incoming(first, before)
        builder.cbranch(builder.icmp_signed("<" if step > 0 else ">", number, last), inside, end)
        builder.position_at_end(inside)
        self._names.give(name, (types.intp, number))
        self._break.append(end)
        self._block(body)
        self._break.pop()
        if not builder.block.is_terminated:
            builder.branch(onwards)
        builder.position_at_end(onwards)
        number.add_incoming(builder.add(number, ir.Constant(number.type, step), flags=["nsw"]), onwards)
        builder.branch(test)
        builder.position_at_end(end)

    def value(self, node: ast.expr | ast.Name) -> Value:
        """The type and the value of an expression."""
        match node:
            case ast.Name(name) if name in self._names:
                return self._names.value(name)
            case ast.Constant(bool() | int() | float() as number):
                return self._constant(number)
            case ast.Call(function, arguments):
                made = self._call(self._global(function), [self.value(own) for own in arguments])
                return self._counted_not(node, made)
            case ast.BinOp(left, sign, right):
                return self._applied(sign, self.value(left), self.value(right))
            case ast.UnaryOp(sign, operand):
                return self._applied(sign, self.value(operand))
            case ast.Compare(left, [sign], [right]):
                return self._applied(sign, self.value(left), self.value(right))
            case ast.Tuple(elements):
                kinds, values = zip(*map(self.value, elements), strict=True)
                if len({plain(kind) for kind in kinds}) > 1:
                    raise TypeError(f"no translation of {ast.unparse(node)}: its values are of several types")
                kind = types.UniTuple(plain(kinds[0]), len(kinds))  # type: ignore[no-untyped-call]
                return kind, self._context.make_tuple(self._builder, kind, values)
            case ast.Subscript(value, ast.Constant(int() as place)):
                kind, own = self.value(value)
                return kind[place], self._builder.extract_value(own, place)
            case ast.Subscript(value, index):
                return self._call(operator.getitem, [self.value(value), self.value(index)])
            case ast.Attribute(ast.Attribute() as owner, name):
                kind, own = self._attribute(owner)
                found = self._attribute_of((kind, own), name)
                self._context.nrt.decref(self._builder, kind, own)  # it was made for this one question
                return self._counted_not(node, found)
            case ast.Attribute():
                return self._counted_not(node, self._attribute(node))
        raise TypeError(f"no translation of {ast.unparse(node)}")

    def _attribute(self, node: ast.Attribute) -> Value:
        return self._attribute_of(self.value(node.value), node.attr)

    def _attribute_of(self, value: Value, name: str) -> Value:
        kind, own = value
        found = self._context.get_getattr(kind, name)(self._context, self._builder, kind, own, name)
        return self._typing.resolve_getattr(kind, name), found

    def _counted_not(self, node: ast.expr, value: Value) -> Value:
        """A value, if it holds no reference to an array: nobody here would ever give that back."""
        if self._context.data_model_manager[value[0]].contains_nrt_meminfo():
            raise TypeError(f"no translation of {ast.unparse(node)}: it would keep an array")
        return value

    def _constant(self, number: bool | int | float) -> Value:
        kind = types.float64 if isinstance(number, float) else types.literal(number)  # type: ignore[no-untyped-call]
        return kind, self._context.get_constant(plain(kind), number)

    def _truth(self, node: ast.expr) -> Any:
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            first, *others = map(self._truth, node.values)
            for other in others:
                first = self._builder.or_(first, other)
            return first
        return self._cast(self.value(node), types.boolean)

    def _applied(self, sign: ast.AST, *values: Value) -> Value:
        """A sign between values, or before one; whole numbers that are known are computed at once."""
        if type(sign) not in _SIGNS:
            raise TypeError(f"no translation of the sign {type(sign).__name__}")
        if all(isinstance(kind, types.IntegerLiteral) for kind, _ in values):
            numbers = [kind.literal_value for kind, _ in values]
            return self._constant(_SIGNS[type(sign)](*numbers))
        instruction = _INSTRUCTIONS.get(type(sign))
        if instruction and all(plain(kind) == types.int64 for kind, _ in values):
            return types.int64, getattr(self._builder, instruction)(*(own for _, own in values))
        return self._call(_SIGNS[type(sign)], values)

    def _global(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(name):
                return self._known.get(name, min if name == "min" else None)
            case ast.Attribute(value, name):
                return getattr(self._global(value), name)
        raise TypeError(f"no translation of {ast.unparse(node)}")

    def _call(self, function: Any, values: Sequence[Value]) -> Value:
        """A call of what Numba knows, with the types that it chooses."""
        kinds = tuple(kind for kind, _ in values)
        if function is min and all(plain(kind) == types.int64 for kind in kinds):
            left, right = (own for _, own in values)
            return types.int64, self._builder.select(self._builder.icmp_signed("<", left, right), left, right)
        if (function, kinds) not in self._called:
            callee = self._typing.resolve_value_type(function)
            signature = self._typing.resolve_function_type(callee, kinds, {})
            self._called[function, kinds] = signature, self._context.get_function(callee, signature)
        signature, code = self._called[function, kinds]
        wanted = zip(values, signature.args, strict=True)
        return signature.return_type, code(self._builder, [self._cast(own, kind) for own, kind in wanted])

    def _cast(self, value: Value, kind: Any) -> Any:
        own, number = value
        return number if own == kind else self._context.cast(self._builder, number, own, kind)


def _id(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    raise TypeError(f"no translation of {ast.unparse(node)}")
