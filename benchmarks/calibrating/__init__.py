"""The parts of the calibration bench; run it with ``python benchmarks/calibration.py``."""
