"""verl: `VERL_USE_EXTERNAL_MODULES=klens.verl`, and `trainer.logger='["console","klens"]'`.

verl knows its loggers by a list; this adds one. The run is called after `trainer.experiment_name`.
"""

from verl.utils.tracking import Tracking

from . import config as log_config
from . import log as log_row


class _Logger:
    def log(self, data, step):
        log_row(data, step=step)


def _begin(self, project_name, experiment_name, default_backend="console", config=None, *rest, **more):
    backends = [default_backend] if isinstance(default_backend, str) else list(default_backend)
    others = [each for each in backends if each != "klens"]
    _verl_begin(self, project_name, experiment_name, others, config, *rest, **more)
    if "klens" in backends:
        log_config(config or {}, name=experiment_name)
        self.logger["klens"] = _Logger()


if "klens" not in Tracking.supported_backend:
    _verl_begin = Tracking.__init__
    Tracking.__init__ = _begin
    Tracking.supported_backend.append("klens")
