"""Lightning: `Trainer(logger=KlensLogger("kl-0.01"))`."""

from lightning.pytorch.loggers import Logger
from lightning.pytorch.utilities import rank_zero_only

from . import config, flush, log


class KlensLogger(Logger):
    def __init__(self, name="lightning"):
        super().__init__()
        self._name = name

    @property
    def name(self):
        return self._name

    @property
    def version(self):
        return 0

    @rank_zero_only
    def log_hyperparams(self, params, *_, **__):
        config(dict(vars(params) if hasattr(params, "__dict__") else params), name=self._name)

    @rank_zero_only
    def log_metrics(self, metrics, step=None):
        log({key: value for key, value in metrics.items() if key != "epoch"}, step=step, name=self._name)

    @rank_zero_only
    def finalize(self, status):
        flush()
