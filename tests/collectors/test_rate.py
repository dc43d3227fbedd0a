"""Token buckets on a made-up clock."""

from __future__ import annotations

from collectors.rate import SLOWEST, Bucket, Buckets


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


def test_rate_holds_after_the_saved_up_tokens():
    clock = Clock()
    bucket = Bucket(10, clock, clock.sleep)
    for _ in range(20):
        bucket.take()
    assert clock.now == 0
    for _ in range(30):
        bucket.take()
    assert abs(clock.now - 3.0) < 0.01


def test_throttles_that_come_together_slow_down_once():
    clock = Clock()
    bucket = Bucket(16, clock, clock.sleep)
    for _ in range(5):
        bucket.slow()
    assert bucket.rate == 8
    for _ in range(9):
        clock.now += 1
        bucket.slow()
    assert bucket.rate == SLOWEST


def test_one_bucket_a_service_and_region():
    buckets = Buckets(most=5)
    assert buckets.get("1", "r", "kms") is buckets.get("1", "r", "kms")
    assert buckets.get("1", "r", "kms") is not buckets.get("1", "r2", "kms")
    assert buckets.get("1", "r", "kms").rate == 5


def test_a_rate_below_the_slowest_is_never_made_faster():
    clock = Clock()
    bucket = Bucket(0.1, clock, clock.sleep)
    clock.now = 5
    bucket.slow()
    assert bucket.rate == 0.1


def test_buckets_wait_with_the_clock_of_their_scan():
    waited = []
    bucket = Buckets(1, waited.append).get("1", "r", "iam")
    for _ in range(4):
        bucket.take()
    assert len(waited) == 2
