<?php

declare(strict_types=1);

namespace Holdfast;

/** An answer of the service that is no success, or none at all: then its status is 0. */
final class ApiError extends \RuntimeException
{
    /** @param array<string, mixed> $details the members of `error` in the answer */
    public function __construct(public readonly int $status, public readonly array $details, string $message)
    {
        parent::__construct($message);
    }

    public function is(string $code): bool
    {
        return ($this->details['code'] ?? null) === $code;
    }

    /** The answer is kept under its Idempotency-Key: the same key never gives another one. */
    public function isStored(): bool
    {
        return $this->is('invalid_request') || $this->is('not_found') || $this->is('idempotency_conflict');
    }
}
