"""HF Trainer and TRL: `GRPOTrainer(..., callbacks=[KlensCallback("kl-0.01", stop=True)])`."""

from transformers import TrainerCallback

from . import config, flush, log, watch


class KlensCallback(TrainerCallback):
    def __init__(self, name=None, stop=False):
        """`stop`: end the training when a rule of `klens watch` says so; a string names the rules."""
        self._name = name
        self._stop = stop
        self._watch = None

    def on_train_begin(self, args, state, control, **_):
        if state.is_world_process_zero:
            config(args.to_dict(), name=self._name)
            if self._stop and self._name:
                self._watch = watch(self._name, stop=self._stop if isinstance(self._stop, str) else None)

    def on_log(self, args, state, control, logs=None, **_):
        if state.is_world_process_zero and logs:
            log(logs, step=state.global_step)

    def on_step_end(self, args, state, control, **_):
        if self._watch is not None and self._watch.should_stop():
            control.should_training_stop = True

    def on_train_end(self, args, state, control, **_):
        flush()
        if self._watch is not None:
            self._watch.stop()
