"""klens's gym for trainers written in Python: talks to `klens gym serve` with the standard library alone.

`client` is the connection; `trl_env` an environment for TRL's GRPOTrainer; `verl_tool`, `verl_reward` and `verl_adv` a tool,
a reward function and advantage estimators for verl; `userrl_tool` the tool class of the UserRL fork. Each of the latter
needs the trainer that it is for. Address and token come from KLENS_GYM_URL and KLENS_GYM_TOKEN, or from the arguments.
"""

from .client import Episode, GymClient, GymError, Step

__all__ = ["Episode", "GymClient", "GymError", "Step"]
