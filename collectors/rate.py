"""How fast one service is asked: a token bucket a (scope, region, service), slowed by every throttle it meets."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

RATES = {
    # Calls a second where the provider's documented or observed limit is low; everything else takes DEFAULT.
    # https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
    "iam": 40.0,
    "directconnect": 20.0,
    "sagemaker": 50.0,
    # S3 answers thousands a second: https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html
    "s3": 1000.0,
    "cloudtrail": 20.0,  # https://docs.aws.amazon.com/awscloudtrail/latest/userguide/WhatIsCloudTrail-Limits.html
}
DEFAULT = 250.0
SLOWEST = 1.0


class Bucket:
    """Tokens for calls: `rate` a second, at most two seconds' worth saved up."""

    def __init__(
        self, rate: float, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.rate = rate
        self._tokens = 2 * rate
        self._clock = clock
        self._sleep = sleep
        self._at = clock()
        self._slowed = self._at - 1
        self._lock = threading.Lock()

    def take(self) -> None:
        """Wait for a token."""
        with self._lock:
            now = self._clock()
            self._tokens = min(2 * self.rate, self._tokens + (now - self._at) * self.rate)
            self._at = now
            self._tokens -= 1
            wait = -self._tokens / self.rate if self._tokens < 0 else 0.0
        if wait:
            self._sleep(wait)

    def slow(self) -> None:
        """Halve the rate, once a second at most: calls under way together are refused together."""
        with self._lock:
            if self._clock() - self._slowed >= 1:
                self._slowed = self._clock()
                self.rate = max(min(SLOWEST, self.rate), self.rate / 2)  # NOTE: --max-rate may be slower than SLOWEST
                self._tokens = min(self._tokens, 0.0)


class Buckets:
    """The buckets of one scan."""

    def __init__(self, most: float | None = None, sleep: Callable[[float], None] = time.sleep) -> None:
        self._most = most
        self._sleep = sleep
        self._buckets: dict[tuple[str, str, str], Bucket] = {}
        self._lock = threading.Lock()

    def get(self, scope: str, region: str, service: str) -> Bucket:
        """The bucket of a service there."""
        with self._lock:
            key = (scope, region, service)
            if key not in self._buckets:
                rate = RATES.get(service, DEFAULT)
                self._buckets[key] = Bucket(min(rate, self._most) if self._most else rate, sleep=self._sleep)
            return self._buckets[key]
