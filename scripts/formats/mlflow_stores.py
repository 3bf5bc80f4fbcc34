"""MLflow's SQLite store and its folder of files, read by MlflowClient."""

from __future__ import annotations

import math
import os

os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"

import mlflow
from known import curve, folder, read_back, run
from mlflow.tracking import MlflowClient

COUNT = 25
PARAMETERS = {"lr": 3e-06, "algo": "grpo", "seed": 7}


def main() -> None:
    logs = folder()
    stores = {"database": f"sqlite:///{logs}/mlflow.db", "files": f"file://{logs}/mlruns"}
    runs = []
    for name, uri in stores.items():
        client = MlflowClient(tracking_uri=uri)
        experiment = client.create_experiment("formats", artifact_location=f"file://{logs}/artifacts-{name}")
        made = client.create_run(experiment, run_name=name).info.run_id
        for key, value in PARAMETERS.items():
            client.log_param(made, key, value)
        for i, value in enumerate(curve(name, COUNT)):
            client.log_metric(made, "train/loss", value, step=i, timestamp=1_700_000_000_000 + i)
            client.log_metric(made, "reward", math.nan if i == 3 else 1e6 * value, step=i, timestamp=1_700_000_000_000 + i)
        client.set_terminated(made)
        points = {key: [(m.step, m.value) for m in client.get_metric_history(made, key)] for key in ("train/loss", "reward")}
        runs.append(run(name, points, PARAMETERS))
    read_back(mlflow.__version__, "MlflowClient", runs)


if __name__ == "__main__":
    main()
