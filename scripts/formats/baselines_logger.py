"""OpenAI baselines' logger: CSV, lines of JSON and the printed table, each in a folder, read by its own readers where it has them."""

from __future__ import annotations

import csv
import json
from importlib.metadata import version
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

from known import curve, folder, read_back, run

COUNT = 12
STEP = "total_timesteps"


def logger_module():
    """The file alone: the package imports TensorFlow 1."""
    path = Path(find_spec("baselines").submodule_search_locations[0]) / "logger.py"
    spec = spec_from_file_location("baselines_logger_file", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    logs = folder()
    logger = logger_module()
    for form in ("csv", "json"):
        logger.configure(str(logs / form), [form])
        for i, value in enumerate(curve(form, COUNT)):
            logger.logkv("nupdates", i + 1)
            logger.logkv(STEP, 2048 * (i + 1))
            logger.logkv("eprewmean", 100 * value)
            logger.logkv("policy_entropy", value)
            logger.logkv("explained_variance", value / 7)
            logger.dumpkvs()
        logger.reset()
    with open(logs / "csv" / "progress.csv", newline="") as file:
        table = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    lines = [json.loads(line) for line in open(logs / "json" / "progress.json")]
    runs = [run("csv", by_step(table)), run("json", by_step(lines))]
    read_back(version("baselines"), "csv, json", runs)


def by_step(rows: list[dict]) -> dict:
    return {key: [(row[STEP], row[key]) for row in rows] for key in rows[0] if key != STEP}


if __name__ == "__main__":
    main()
