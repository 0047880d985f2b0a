<?php

declare(strict_types=1);

namespace Holdfast;

/** Whole numbers from 0 as strings of digits: amounts of tokens go beyond PHP's integers, and no extension is asked for. */
final class Digits
{
    public static function trim(string $digits): string
    {
        $rest = ltrim($digits, '0');
        return $rest === '' ? '0' : $rest;
    }

    public static function compare(string $one, string $other): int
    {
        [$one, $other] = [self::trim($one), self::trim($other)];
        return strlen($one) <=> strlen($other) ?: strcmp($one, $other);
    }

    public static function increment(string $digits): string
    {
        $nines = strlen($digits) - strlen(rtrim($digits, '9'));
        $head = substr('0' . $digits, 0, -$nines ?: null);
        return self::trim(substr($head, 0, -1) . ((int) substr($head, -1) + 1) . str_repeat('0', $nines));
    }

    /** The first is not below the second. */
    public static function subtract(string $from, string $less): string
    {
        $less = str_pad($less, strlen($from), '0', STR_PAD_LEFT);
        [$result, $borrowed] = ['', 0];
        for ($at = strlen($from) - 1; $at >= 0; $at--) {
            $digit = (int) $from[$at] - (int) $less[$at] - $borrowed;
            $borrowed = $digit < 0 ? 1 : 0;
            $result = ($digit + 10 * $borrowed) . $result;
        }
        return self::trim($result);
    }

    public static function multiply(string $one, string $other): string
    {
        $sums = array_fill(0, strlen($one) + strlen($other), 0);
        foreach (str_split(strrev($one)) as $i => $digit) {
            foreach (str_split(strrev($other)) as $j => $factor) {
                $sums[$i + $j] += (int) $digit * (int) $factor;
            }
        }
        [$result, $carried] = ['', 0];
        foreach ($sums as $sum) {
            $sum += $carried;
            $result = $sum % 10 . $result;
            $carried = intdiv($sum, 10);
        }
        return self::trim($result);
    }

    /**
     * The quotient and what remains.
     *
     * @return array{string, string}
     */
    public static function divide(string $over, string $under): array
    {
        if (self::trim($under) === '0') {
            throw new \DivisionByZeroError('An amount is 0.');
        }
        [$quotient, $rest] = ['', '0'];
        foreach (str_split($over) as $digit) {
            $rest = self::trim($rest . $digit);
            $times = 0;
            while (self::compare($rest, $under) >= 0) {
                $rest = self::subtract($rest, self::trim($under));
                $times++;
            }
            $quotient .= $times;
        }
        return [self::trim($quotient), $rest];
    }
}
