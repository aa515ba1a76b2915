"""The bridge: corpora for other programs, and any model on the same bench.

Words go out in `padding`, `torch_data` and `dataset_folder`; predictions come in by `prediction_files`, and
`scoring` scores them. A model is asked in `asking` and judged on an `examination` in `model_judging`,
and the words that it gets wrong are found in `failing`.
Networks of PyTorch are read from files in `state_dicts`, and made networks in `folding`.
"""

from abacist.bridge.asking import ModelQuery, model_of
from abacist.bridge.dataset_folder import save_dataset
from abacist.bridge.examination import Examination
from abacist.bridge.failing import FailingWords, failing_words, usual_length
from abacist.bridge.folding import Convention, network_of
from abacist.bridge.model_judging import Judgement, judge_model, keep
from abacist.bridge.padding import dataset, padded, tensors
from abacist.bridge.prediction_files import load_predictions
from abacist.bridge.scoring import Score, score

__all__ = [
    "Convention", "Examination", "FailingWords", "Judgement", "ModelQuery", "Score", "dataset",
    "failing_words", "judge_model", "keep", "load_predictions", "model_of", "network_of", "padded",
    "save_dataset", "score", "tensors", "usual_length",
]  # fmt: skip
