<?php

// Answers questions about the plugin's pure rules: a line of JSON each, with the name of the rule and what it is given.

declare(strict_types=1);

namespace Holdfast;

foreach (['Digits', 'Money', 'Summary', 'Webhook'] as $name) {
    require dirname(__DIR__) . "/src/$name.php";
}

while (($line = fgets(STDIN)) !== false) {
    ['rule' => $rule, 'given' => $given] = json_decode($line, true);
    echo json_encode(match ($rule) {
        'summary' => Summary::of(...$given),
        'paying' => Summary::isPaying(...$given),
        'verify' => Webhook::verify(...$given) !== null,
        'share' => Money::share(...$given),
        'tokens' => Money::tokens(...$given),
        'units' => Money::units(...$given),
        'minor' => Money::minor(...$given),
        'major' => Money::major(...$given),
    }), "\n";
}
