"""The connection to `klens gym serve`. One per thread is not needed: every thread gets a kept-alive connection of its own."""

from __future__ import annotations

import http.client
import json
import os
import threading
import time
from typing import Any, NamedTuple, Optional
from urllib.parse import urlsplit


class GymError(RuntimeError):
    """The gym could not be reached, or refused; never an episode that failed, which is a `Step`."""


class Step(NamedTuple):
    """What an action brought. `reward` is None where nobody judged it: it is missing, not 0."""

    feedback: str
    reward: Optional[float]
    done: bool
    #: solved, finished, limit or failed; None as long as the episode goes on.
    why: Optional[str]
    #: Why the simulator failed.
    reason: Optional[str]


class Episode:
    """One dialogue with a user. `rewards` are those of its steps so far."""

    def __init__(self, client: GymClient, opened: dict[str, Any]) -> None:
        self._client = client
        self._env: str = opened["env"]
        self.task: str = opened["task"]
        self.prompts: dict[str, str] = opened["prompts"]
        self.tool: dict[str, Any] = opened["tool"]
        self.rewards: list[float] = []
        self.done = False
        self.why: Optional[str] = None
        self.failure: Optional[str] = None

    def step(self, choice: str, content: str) -> Step:
        answer = self._client.request("POST", f"/envs/{self._env}/step", {"choice": choice, "content": content})
        feedback = answer["feedback"]
        text = feedback if isinstance(feedback, str) else json.dumps(feedback, ensure_ascii=False)
        step = Step(text, answer["reward"], answer["done"], answer["why"], answer["reason"])
        self.done, self.why = step.done, step.why
        if step.reward is None:
            self.failure = step.reason or "the simulator failed"
        else:
            self.rewards.append(step.reward)
        if self.done:
            self.close()
        return step

    def close(self) -> None:
        self._client.request("DELETE", f"/envs/{self._env}", missing_is_fine=True)


class GymClient:
    """`attempts` are made where the server cannot be reached; an action that it may have taken is never sent again."""

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        timeout: float = 120.0,
        attempts: int = 5,
    ) -> None:
        address = url or os.environ.get("KLENS_GYM_URL")
        if not address:
            raise GymError("no address of a gym: start `klens gym serve`, then set KLENS_GYM_URL and KLENS_GYM_TOKEN")
        parts = urlsplit(address)
        if parts.scheme != "http" or parts.hostname is None:
            raise GymError(f"{address} is no address of a gym; `klens gym serve` prints one, like http://127.0.0.1:8123")
        self._place = (parts.hostname, parts.port or 80)
        self._token = token or os.environ.get("KLENS_GYM_TOKEN", "")
        self._timeout = timeout
        self._attempts = attempts
        self._local = threading.local()

    def open(self, task: Optional[str] = None) -> Episode:
        """An episode of this task, or of the next one in turn."""
        return Episode(self, self.request("POST", "/envs", {} if task is None else {"task": task}))

    def tasks(self) -> list[str]:
        return self.request("GET", "/tasks")["tasks"]

    def rows(self) -> list[dict[str, Any]]:
        """Every task as a row of a dataset: `task_id`, and `prompt` as chat messages."""
        rows = []
        for task in self.tasks():
            episode = self.open(task)
            episode.close()
            prompt = [{"role": role, "content": episode.prompts[role]} for role in ("system", "user")]
            rows.append({"task_id": task, "prompt": prompt})
        return rows

    def request(self, method: str, path: str, body: Any = None, missing_is_fine: bool = False) -> Any:
        payload = None if body is None else json.dumps(body)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        for attempt in range(self._attempts):
            connection = self._connection()
            is_fresh = connection.sock is None
            try:
                if is_fresh:
                    connection.connect()
            except OSError as error:
                self._drop()
                if attempt + 1 == self._attempts:
                    raise GymError(f"no gym answers at {self._place[0]}:{self._place[1]}: {error}") from error
                time.sleep(0.2 * 2**attempt)
                continue
            try:
                connection.request(method, path, payload, headers)
                response = connection.getresponse()
                text = response.read().decode("utf-8")
            except (OSError, http.client.HTTPException) as error:
                self._drop()
                # A connection that lay idle may have been closed by the server, which then has not seen the request.
                if isinstance(error, ConnectionError) and not is_fresh:
                    continue
                raise GymError(f"the gym did not answer {method} {path}: {error}") from error
            if response.will_close:
                self._drop()
            if response.status == 404 and missing_is_fine:
                return None
            if response.status >= 400:
                raise GymError(f"the gym refused {method} {path} with status {response.status}: {text[:300]}")
            return json.loads(text)
        raise GymError(f"no gym answers at {self._place[0]}:{self._place[1]}")

    def _connection(self) -> http.client.HTTPConnection:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = http.client.HTTPConnection(*self._place, timeout=self._timeout)
            self._local.connection = connection
        return connection

    def _drop(self) -> None:
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
        self._local.connection = None
