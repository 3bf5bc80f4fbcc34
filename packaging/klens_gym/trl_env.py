"""An environment for TRL (1.x): `GRPOTrainer(environment_factory=IntentionEnv, train_dataset=Dataset.from_list(rows()))`."""

from __future__ import annotations

from typing import Any, Optional

from .client import Episode, GymClient, GymError

OVER = "The conversation is over."


def rows(client: Optional[GymClient] = None) -> list[dict[str, Any]]:
    """The gym's tasks as rows with `prompt` and `task_id`; TRL hands the latter to `reset`."""
    return (client or GymClient()).rows()


class IntentionEnv:
    """One rollout's dialogue. TRL makes its tools of the public methods and its reward of `get_reward`.

    `show_reward` puts the reward behind each answer, as UserRL does in training and not in evaluation.
    """

    def __init__(self, client: Optional[GymClient] = None, show_reward: bool = False) -> None:
        self._client = client or GymClient()
        self._show_reward = show_reward
        self._episode: Optional[Episode] = None
        self._unreachable = False

    def reset(self, task_id: Optional[str] = None, **_: Any) -> None:
        """Opens the task's episode. The prompt stands in the dataset, so there is nothing to add to it."""
        if self._episode is not None and not self._episode.done:
            self._episode.close()
        self._unreachable = False
        self._episode = self._client.open(task_id)

    def interact_with_env(self, choice: str, content: str) -> str:
        """Interact with the environment.

        Args:
            choice: What kind of move this is. (choices: ["action", "answer", "search"])
            content: The question, the answer or the search itself.

        Returns:
            What the environment says.
        """
        episode = self._episode
        if episode is None or episode.done:
            return OVER
        try:
            step = episode.step(str(choice), content if isinstance(content, str) else str(content))
        except GymError:
            # TRL shows the policy any error of a tool and goes on: the rollout must not be scored for it.
            self._unreachable = True
            raise
        return f"{step.feedback}\nReward: {step.reward}" if self._show_reward else step.feedback

    def get_reward(self) -> Optional[float]:
        """The sum of the rewards; None, which TRL leaves out of the group, where the simulator or the gym failed."""
        if self._episode is None or self._unreachable or self._episode.failure is not None:
            return None
        return float(sum(self._episode.rewards))
