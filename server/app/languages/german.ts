import type { LanguageTexts } from "../../features/checkout/languages/language.ts";

// Read by: nobody yet.
export const GERMAN: LanguageTexts = {
  tag: "de",
  name: "Deutsch",
  locale: "de-DE",
  direction: "ltr",
  readBy: null,

  wallet: {
    connecting: "{wallet} wird nach Ihrem Konto gefragt …",
    preparing: "Die Transaktion wird vorbereitet …",
    sending: "Wird gesendet …",
    left: "Noch {seconds} Sekunden. Braucht Ihre Wallet länger, versuchen Sie es danach noch einmal.",
    sent: "Gesendet. Diese Seite zeigt es, sobald es im Netzwerk angekommen ist.",
    unknown:
      "Es ist nicht sicher, ob gesendet wurde. Es kann unterwegs sein: Diese Seite sagt Ihnen, sobald das nicht mehr möglich ist.",
    too_late:
      "Ihre Wallet hat für das Netzwerk zu lange gebraucht. {nothing}, und dabei bleibt es: Versuchen Sie es noch einmal.",
    failed: "Das Netzwerk hat es abgelehnt. {nothing}.",
    rejected: "Sie haben in der Wallet abgelehnt. {nothing}.",
    no_account:
      "Die Wallet hat kein Solana-Konto genannt. Entsperren Sie sie, und erlauben Sie dieser Website den Zugriff. {nothing}.",
    wrong_network:
      "{wallet} ist mit einem anderen Netzwerk verbunden als diese Zahlung. Wechseln Sie das Netzwerk, und versuchen Sie es noch einmal. {nothing}.",
    other_wallet:
      "Dafür wird die Wallet {needed} gebraucht. {wallet} hat {given} genannt: Wechseln Sie dort das Konto, und versuchen Sie es noch einmal.",
    wallet_failed: "Die Wallet konnte den Vorgang nicht abschließen ({reason}). {nothing}.",
    unexpected_bytes:
      "Abgebrochen: Was die Wallet unterschreiben sollte, ist nicht das, was diese Seite zeigt ({reason}). {nothing}.",
    no_answer: "Das Netzwerk ist gerade nicht erreichbar. {nothing}; versuchen Sie es gleich noch einmal.",
  },

  page: {
    languages: "Sprache",
    to: (amount, business) => `${amount} an ${business}`,
    smallestUnits: "kleinste Einheiten",
    tokens: "Token",
    lessThanAMinute: "weniger als eine Minute",
    verified: "Geprüfte Domain",
    unproven: "Dieser Shop hat keine Domain nachgewiesen. Prüfen Sie, ob es der Shop ist, den Sie meinen.",
    order: (number) => `Bestellung ${number}`,
    test: "Testzahlung",
    testHint: "Es fließt kein echtes Geld.",

    pricedAt: (rate, unit) => `zum Kurs ${rate}. Erstattet wird in ${unit}.`,
    payWithin: "Zahlbar noch",
    pay: (amount) => `${amount} bezahlen`,
    heldFor: (period) => `${period} in einem Smart Contract. Erst danach erhält der Shop das Geld.`,
    costLater: "Die Kosten des Netzwerks sehen Sie, bevor Sie unterschreiben.",
    costAbout: (cost, back) =>
      `Zuzüglich etwa ${cost} für das Netzwerk. Davon kommen ${back} von selbst in Ihre Wallet zurück.`,
    costUnlessSponsored: (cost, back) =>
      `Sie brauchen kein SOL: Diese Website kann die Kosten des Netzwerks übernehmen. Eine Wallet mit SOL zahlt etwa ${cost}. Davon kommen ${back} von selbst in Ihre Wallet zurück.`,
    costWhy: "Wofür, und was zurückkommt",
    otherWallet: "Andere Wallet",
    otherWalletHint: "Auswählen",
    phone: "Mit dem Handy bezahlen",
    phoneHint: "QR-Code",
    phoneText: "Scannen Sie ihn mit der Kamera einer Wallet-App. Diese Seite hier aktualisiert sich von selbst.",
    phoneNeedsHttps:
      "Eine Wallet-App nimmt nur Codes von https-Adressen an, und diese Website hat keine. Bezahlen Sie stattdessen in diesem Browser.",
    openAppText:
      "Öffnen Sie diese Seite in einer Wallet-App. Deren eigener Browser zeigt dieselbe Seite, und dort können Sie mit der Wallet bezahlen.",
    openIn: (wallet) => `In ${wallet} öffnen`,
    solanaPay: "Mit einer Wallet-App bezahlen",
    cannotPay:
      "Ihre Zahlung steht noch aus. Diese Website kann sie noch nicht im Browser vorbereiten: Fragen Sie den Shop, wie Sie bezahlen können.",
    noScript:
      "Zum Bezahlen mit einer Wallet in diesem Browser wird JavaScript gebraucht. Schalten Sie es ein, oder öffnen Sie diese Seite in einer Wallet-App.",
    or: "oder",
    payAnyway: "Sie haben nicht bezahlt?",
    payAnywayHint: "Trotzdem bezahlen",
    payAnywayText:
      "Was gesendet wurde, kommt bald an oder nie; diese Seite zeigt beides. Bezahlen Sie nur, wenn Sie wissen, dass niemand für Sie bezahlt hat: Eine zweite Zahlung müssen Sie vom Shop zurückfordern.",

    protection: "So sind Sie geschützt",
    payStep: "Sie bezahlen. Der Shop erhält noch nichts.",
    payText: (amount) =>
      `${amount} gehen in einen Smart Contract auf Solana. Weder der Shop noch diese Website kommt an das Geld.`,
    objectStep: (period) => `${period} Zeit zum Beanstanden`,
    objectText:
      "Nichts angekommen, oder nicht das Bestellte? Eröffnen Sie innerhalb dieser Zeit auf Ihrem Beleg einen Streitfall; sie läuft ab Ihrer Zahlung.",
    shopStep: "Dann erhält der Shop das Geld",
    shopText: "Ist alles in Ordnung, müssen Sie nichts tun. Auf Ihrem Beleg können Sie das Geld auch früher freigeben.",
    judge:
      "Über Streitfälle entscheidet {arbiter}. Das Geld kann dabei nur an Sie, an den Shop oder anteilig an beide gehen, nirgendwohin sonst. Fällt binnen 90 Tagen keine Entscheidung, erhalten Sie Ihr Geld zurück.",
    judgeIsShop:
      "Hier entscheidet genau das Konto, an das der Shop sein Geld erhält: Der Shop würde über seine eigenen Streitfälle entscheiden. Bezahlen Sie nur, wenn Sie ihm vertrauen.",
    judgeIsOwn: "Über Streitfälle entscheidet der Shop selbst.",
    judgeUnknown: "der Arbiter, den diese Website beim Bezahlen nennt",
    rules: "Nach welchen Regeln?",
    rulesText:
      "Der Arbiter liest, was beide Seiten schreiben und schicken, die Rückgabebedingungen des Shops und die Bedingungen, die Ihre Zahlung nennt. Auf dieser Website begründet er seine Entscheidung. Sie und der Shop können sich vorher jederzeit einigen.",
    reasonNames: {
      not_received: "Es ist nicht angekommen",
      not_as_described: "Es entspricht nicht der Beschreibung",
      paid_twice: "Ich habe doppelt bezahlt",
      returned_or_canceled: "Ich habe es zurückgegeben oder storniert",
      other: "Etwas anderes",
    },
    rights: "Ihre gesetzlichen Rechte bleiben davon unberührt.",
    receipt: "Beleg öffnen",
    objectUntil: "Sie können beanstanden bis",
    objectUntilText:
      "Bis dahin bleibt Ihr Geld im Smart Contract; weder der Shop noch diese Website kommt daran. Unternehmen Sie nichts, erhält es dann der Shop.",
    keepReceipt: "Bewahren Sie den Link zum Beleg auf: Dort beanstanden Sie, oder geben das Geld frei.",

    details: "Einzelheiten",
    recipient: "Empfänger",
    token: "Token",
    paymentId: "Zahlungsnummer",
    intent: "Zahlungsanforderung",
    payment: "Zahlung",
    transaction: "Transaktion",
    sender: "Bezahlt von",
    arbiter: "Arbiter",
    program: "Programm",
    operator: "Betreiberkonto",
    openUntil: "Zahlbar bis",
    refundPolicy: "Rückgabebedingungen",
    contact: "Shop kontaktieren",
    backTo: "Zurück zu {business}",
    leadsTo: (host) => `Die Schaltfläche unten führt zu ${host}. Der Shop hat nicht nachgewiesen, dass ihm das gehört.`,
    protectedBy: "Geschützt durch Holdfast",
    runBy: "Diese Website wird betrieben von {operator}",
    irreversible: "Das Netzwerk kann das nicht rückgängig machen.",
    getEmails: "E-Mails zu dieser Zahlung erhalten",

    states: {
      held: {
        title: "Zahlungen sind ausgesetzt",
        text: "Diese Website muss zuerst eine Änderung im Netzwerk bestätigen. Es wurde nichts abgebucht. Versuchen Sie es später noch einmal, oder fragen Sie den Shop.",
      },
      in_flight: {
        title: "Unterwegs",
        text: "Eine Zahlung wurde gesendet und wartet auf das Netzwerk. Bezahlen Sie nicht noch einmal; diese Seite aktualisiert sich von selbst.",
      },
      protected: { title: "Bezahlt und geschützt", text: "Der Shop sieht Ihre Zahlung." },
      settling: {
        title: "Bezahlt",
        text: "Die Zeit zum Beanstanden ist abgelaufen. Das Geld geht in Kürze an den Shop.",
      },
      disputed: {
        title: "Streitfall eröffnet",
        text: "Der Streitfall entscheidet, wer erhält, was im Smart Contract ist. Ihr Beleg führt zur Seite des Streitfalls: Dort steht, wer an der Reihe ist und bis wann.",
      },
      decided: {
        title: "Entschieden",
        text: "Es ist entschieden, wer wie viel erhält. Das Geld wird in Kürze ausgezahlt.",
      },
      settled: { title: "Bezahlt und abgeschlossen", text: "Das Geld ging an den Shop." },
      partly_refunded: {
        title: "Bezahlt und teilweise erstattet",
        text: "Das Geld wurde zwischen Ihnen und dem Shop aufgeteilt.",
      },
      refunded: { title: "Erstattet", text: "Das ganze Geld ging an die Wallet zurück, die bezahlt hat." },
      expired: {
        title: "Die Zahlungsfrist ist abgelaufen",
        text: "Bezahlen Sie nicht mehr. Bitten Sie den Shop um einen neuen Link. Falls Sie schon bezahlt haben, zeigt es diese Seite.",
      },
      canceled: {
        title: "Vom Shop storniert",
        text: "Bezahlen Sie nicht. Falls Sie schon bezahlt haben, zeigt es diese Seite, und Sie können Ihr Geld vom Shop zurückfordern.",
      },
    },
    reportedOver:
      "Jemand hat eine Zahlung gemeldet, die das Netzwerk nicht kennt oder nicht annehmen kann. Wenn Sie eben selbst bezahlt haben, warten Sie, bis diese Seite das nicht mehr meldet, bevor Sie um einen neuen Link bitten.",
    late: {
      paid_after_expiry:
        "Die Zahlung kam verspätet: nach Ablauf der Zahlungsfrist. Möglicherweise liefert der Shop nicht.",
      paid_after_cancel:
        "Die Zahlung kam verspätet: nachdem der Shop storniert hatte. Möglicherweise liefert der Shop nicht.",
      found_after_cancel:
        "Sie haben rechtzeitig bezahlt, aber das Netzwerk hat es erst gezeigt, nachdem der Shop storniert hatte. Möglicherweise liefert der Shop nicht.",
    },
    overLimit:
      "Bezahlt wurde, als schon alle Plätze vergeben waren. Möglicherweise liefert der Shop nicht; er kann das Geld zurückschicken: Fragen Sie ihn, oder eröffnen Sie rechtzeitig einen Streitfall.",
    mismatch:
      "Es ist eine Zahlung eingegangen, die diese Bestellung nennt, aber von ihren Bedingungen abweicht, etwa im Betrag. Sie begleicht die Bestellung nicht. Falls sie von Ihnen ist, steht auf ihrem Beleg, wo das Geld ist und wer es zurückschicken kann: Sehen Sie dort nach, bevor Sie noch einmal bezahlen.",
    findPayment: "Diese Zahlung suchen",
    duplicateTitle: (count) => (count === 1 ? "Doppelt bezahlt" : `${count + 1}-mal bezahlt`),
    duplicateText:
      "Jemand hat diese Bestellung noch einmal bezahlt. Auf jedem Beleg steht, wie dieses Geld zurückgeschickt wird.",
    duplicate: "{amount} von {wallet}",
    partRefund: (amount) => `Von Ihrer Zahlung gehen ${amount} an Sie zurück.`,
    partRefunded: (amount) => `Von Ihrer Zahlung gingen ${amount} an Sie zurück.`,

    notFoundTitle: "Nicht gefunden",
    notFoundText:
      "Unter dieser Adresse gibt es keine Zahlung. Prüfen Sie den Link, oder bitten Sie den Shop um einen neuen.",
    unavailableTitle: "Einen Moment",
    unavailableText:
      "Der Dienst kann gerade nicht antworten. Es wurde nichts abgebucht. Laden Sie diese Seite in Kürze noch einmal.",
    tooManyText:
      "Aus Ihrem Netzwerk kamen zu viele Anfragen. Es wurde nichts abgebucht. Warten Sie eine Minute, und laden Sie diese Seite dann noch einmal.",
    reload: "Neu laden",
    ended: {
      title: "Diese Seite ist nicht mehr aktuell",
      text: "Was hier stand, zeigt der Dienst nicht mehr. Laden Sie die Seite neu, um zu sehen, was jetzt gilt.",
      open: "Neu laden",
    },
    walletText: (amount, business, period) => `${amount} an ${business}, ${period} geschützt`,

    script: {
      nothing: "Es wurde nichts bezahlt",
      confirmIn: "Bestätigen Sie in {wallet}: {amount}, und {cost} SOL für das Netzwerk.",
      confirmFree: "Bestätigen Sie in {wallet}: {amount}. Sie brauchen kein SOL.",
      cost: "Zuzüglich {cost} SOL{worth} für das Netzwerk. Davon kommen {back} SOL von selbst in Ihre Wallet zurück.",
      costWorth: " (etwa {value})",
      costMore:
        "SOL ist das Geld des Netzwerks selbst: Damit werden seine Gebühr und sein Pfand bezahlt. {back} SOL kommen zurück, wenn die Zahlung abgeschlossen ist, und weitere {later} SOL, wenn ihr Eintrag auf der Blockchain geschlossen wird; das darf jeder ab 90 Tagen nach dem Ende der Zahlung. Der Rest kommt nicht zurück. Die genauen Beträge sehen Sie, bevor Sie unterschreiben.",
      sponsored: "Kein SOL nötig: Die Kosten des Netzwerks werden für Sie übernommen.",
      payWith: "Mit {wallet} bezahlen",
      noOther: "In diesem Browser wurde keine weitere Wallet gefunden. Installieren Sie eine, und sie erscheint hier.",
      noWallet: "Keine Wallet in diesem Browser",
      noWalletHint: "Installieren Sie eine Solana-Wallet, oder bezahlen Sie mit dem Handy.",
      walletElsewhere: "{wallet} ist mit einem anderen Netzwerk verbunden",
      walletElsewhereHint:
        "Wechseln Sie dort das Netzwerk, und laden Sie diese Seite neu, oder bezahlen Sie auf andere Weise.",
      arbiterChanged:
        "Der Arbiter hat gewechselt oder war noch nicht bekannt. Lesen Sie, wer jetzt über Streitfälle entscheidet, und drücken Sie dann noch einmal auf die Schaltfläche, um zu bezahlen.",
      otherTab:
        "In einem anderen Tab wird diese Bestellung gerade bezahlt. Schließen Sie den Vorgang dort ab, oder machen Sie hier weiter, wenn Sie ihn geschlossen haben.",
      lost: "Die Verbindung ist unterbrochen. Ihre Zahlung ist nicht verloren: Diese Seite fragt von selbst wieder nach.",
      leftInDoubt: "Das Netzwerk kann sie noch {seconds} Sekunden lang annehmen.",
      notArrived:
        "Das Netzwerk hat die Zahlung nicht rechtzeitig erhalten. Es wurde nichts bezahlt, und dabei bleibt es. Sie können noch einmal bezahlen.",
      payAgain: "Noch einmal mit {wallet} bezahlen",
      sent: "Gesendet. Diese Seite verfolgt die Zahlung von selbst; bezahlen Sie nicht noch einmal.",
      unknown:
        "Es ist nicht sicher, ob die Zahlung gesendet wurde. Warten Sie, bis diese Seite es weiß; bezahlen Sie vorher nicht noch einmal.",
      reported:
        "Jemand hat eine Zahlung gemeldet, die das Netzwerk nicht kennt oder nicht annehmen kann. Sie können bezahlen. Wenn Sie eben selbst bezahlt haben, warten Sie, bis diese Seite das nicht mehr meldet.",
      mayBePaid:
        "Möglicherweise ist schon eine Zahlung unterwegs. Kommt sie an, müssen Sie eine zweite vom Shop zurückfordern. Drücken Sie nur dann noch einmal auf die Schaltfläche, wenn Sie sicher sind, dass nichts gesendet wurde.",
      payAnyway: "Trotzdem mit {wallet} bezahlen",
      notSent: "Sie haben nicht bezahlt? Trotzdem mit {wallet} bezahlen",
      earlierTry: "Eine frühere Zahlung kann noch unterwegs sein.",
      lessThanAMinute: "weniger als eine Minute",
      demo: "Demo-Wallet",
      demoHint: "Spielgeld der lokalen Blockchain",
    },
  },

  link: {
    amount: "Betrag",
    amountInvalid: (decimals) =>
      `Geben Sie einen Betrag über 0 ein, zum Beispiel 25, mit höchstens ${decimals} Stellen nach dem Komma.`,
    continue: (amount) => `${amount} bezahlen`,
    continueOpen: "Weiter",
    next: "Es wird noch nichts bezahlt. Die nächste Seite zeigt, was Sie bezahlen, und fragt Ihre Wallet.",
    left: (left, all) => `${left} von ${all} Plätzen sind frei. Einer gehört Ihnen, sobald Sie unterschrieben haben.`,
    held: "Im Moment sind alle Plätze vergeben. Einige sind noch nicht bezahlt: In den nächsten Minuten kann einer frei werden.",
    until: "Zahlbar bis {time}",
    protection: (period) =>
      `Ihr Geld bleibt ${period} in einem Smart Contract; in dieser Zeit können Sie einen Streitfall eröffnen. Danach erhält es der Shop.`,
    states: {
      full: {
        title: "Alle Plätze sind vergeben",
        text: "Bezahlen Sie nicht mehr. Fragen Sie den Shop, ob es weitere geben wird.",
      },
      expired: {
        title: "Die Zahlungsfrist ist abgelaufen",
        text: "Bezahlen Sie nicht mehr. Bitten Sie den Shop um einen neuen Link.",
      },
      closed: {
        title: "Der Shop hat diesen Link geschlossen",
        text: "Bitte bezahlen Sie nicht. Bitten Sie den Shop um einen neuen Link.",
      },
    },
    priced: (unit) =>
      `Sie bezahlen in ${unit}. Die nächste Seite zeigt, wie viel das zum dann gültigen Kurs ist, und bis wann er gilt. Erstattet wird in ${unit}.`,
    unpriced:
      "Der Preis kann gerade nicht in Token umgerechnet werden, deshalb können Sie noch nicht bezahlen. Es wurde nichts abgebucht. Bitte versuchen Sie es bald noch einmal.",
    refused:
      "Der Shop kann über diesen Link gerade nicht bezahlt werden. Es wurde nichts abgebucht. Fragen Sie den Shop.",
    tooManyToday:
      "Aus Ihrem Netzwerk wurden heute zu viele Bestellungen über diesen Link begonnen. Es wurde nichts abgebucht. Kommen Sie morgen wieder, oder fragen Sie den Shop.",
    notFoundText:
      "Unter dieser Adresse gibt es keinen Zahlungslink. Prüfen Sie sie, oder bitten Sie den Shop um einen neuen.",
  },

  receipt: {
    title: (amount, shop) => `Beleg: ${amount} an ${shop}`,
    toNobody: (amount) => `Beleg: ${amount}`,
    unknownShop: "Dieser Beleg nennt keinen Shop",
    keyless: "Ist das Ihre Zahlung?",
    unlock: "Bestellung und Kontakt zum Shop anzeigen, mit der Wallet, die bezahlt hat",
    provenThen: "Geprüfte Domain, als Sie bezahlt haben",
    unprovenThen: "Keine geprüfte Domain, als Sie bezahlt haben",
    paidAt: "bezahlt am {time}",
    panel: "Stand der Zahlung",
    theShop: "den Shop",
    states: {
      protected: {
        title: "Bezahlt und geschützt",
        text: (inEscrow) => `Der Shop hat noch nichts erhalten. ${inEscrow} sind im Smart Contract.`,
      },
      settling: {
        title: "Die Zeit für einen Streitfall ist abgelaufen",
        text: () => "Niemand hat etwas beanstandet, das Geld geht in Kürze an den Shop.",
      },
      disputed: {
        title: "Streitfall eröffnet: Ihr Geld ist gesperrt",
        text: (inEscrow) => `${inEscrow} bleiben im Smart Contract. Keine Seite kann allein darüber verfügen.`,
      },
      lapsed: {
        title: "Ihr Geld kommt zu Ihnen zurück",
        text: () => "Über den Streitfall wurde nicht binnen 90 Tagen entschieden.",
      },
      decided: {
        title: "Es ist entschieden, wer das Geld erhält",
        text: () => "Das Geld wird in Kürze ausgezahlt.",
      },
      settled: {
        title: "Der Shop hat das Geld erhalten",
        text: () => "Von dieser Zahlung ist nichts mehr im Smart Contract.",
      },
      partly_refunded: {
        title: "Das Geld wurde aufgeteilt",
        text: () => "Von dieser Zahlung ist nichts mehr im Smart Contract.",
      },
      refunded: {
        title: "Sie haben Ihr Geld zurück",
        text: () => "Alles ging an die Wallet zurück, die bezahlt hat.",
      },
      vanished: {
        title: "Diese Zahlung ist verschwunden",
        text: () =>
          "Das Netzwerk hat ihre Transaktion verworfen, bevor sie endgültig war. Das Geld ist, wo es vorher war: in der Wallet, die bezahlt hat. Kommt die Zahlung wieder an, zeigt es diese Seite.",
      },
    },
    toBuyerTitle: (amount) => `Sie erhalten ${amount} zurück`,
    toShopTitle: "Das Geld geht an den Shop",
    partSentTitle: (amount) => `Der Shop hat ${amount} zurückgeschickt`,
    partSent:
      "Der Betrag ging an die Wallet, die bezahlt hat. Über den Rest können Sie weiterhin einen Streitfall eröffnen.",
    partDueTitle: (amount) => `Der Shop schickt ${amount} zurück`,
    partDue: "Der Betrag wird in Kürze ausgezahlt. Über den Rest können Sie weiterhin einen Streitfall eröffnen.",
    unmatchedTitle: "Diese Zahlung passt zu keiner Bestellung",
    duplicateTitle: "Diese Bestellung wurde doppelt bezahlt",
    lateTitle: "Verspätet bezahlt, und geschützt",
    facts: {
      primary: null,
      duplicate: "Für dieselbe Bestellung kam vorher schon eine Zahlung an; diese ist zu viel.",
      unknown_payment_id:
        "Diese Website kennt keine Bestellung mit der Nummer dieser Zahlung. Geschützt ist die Zahlung trotzdem.",
      terms_differ:
        "Sie nennt eine Bestellung dieser Website, weicht aber von deren Bedingungen ab, etwa im Betrag. Sie begleicht die Bestellung nicht.",
      closed:
        "Ihr Eintrag auf der Blockchain wurde geschlossen, bevor diese Website ihn gelesen hat. Nur ihr Ende ist bekannt.",
      vanished: null,
      overLimit: "Bezahlt wurde, als schon alle Plätze vergeben waren; möglicherweise liefert der Shop nicht.",
    },
    late: {
      paid_after_expiry: "Sie kam verspätet: nach Ablauf der Zahlungsfrist. Möglicherweise liefert der Shop nicht.",
      paid_after_cancel: "Sie kam verspätet: nachdem der Shop storniert hatte. Möglicherweise liefert der Shop nicht.",
      found_after_cancel:
        "Sie haben rechtzeitig bezahlt, aber das Netzwerk hat es erst gezeigt, nachdem der Shop storniert hatte. Möglicherweise liefert der Shop nicht.",
    },
    askBack:
      "Bitten Sie den Shop, das Geld zurückzuschicken. Tut er es nicht, eröffnen Sie rechtzeitig einen Streitfall: Dann bleibt das Geld im Smart Contract, bis entschieden ist.",
    askLate: "Fragen Sie ihn, bevor die Zeit für einen Streitfall abgelaufen ist.",
    clocks: {
      protected: "Bis der Shop das Geld erhält",
      disputed: "Endet spätestens in",
      agreed: "Zeit, die Einigung auszuführen",
    },
    began: { protected: "Bezahlt: {time}", disputed: "Streitfall eröffnet: {time}", agreed: "Geeinigt: {time}" },
    ends: "Bis {time}",
    silence: {
      protected: "Unternehmen Sie nichts, erhält der Shop dann das Geld.",
      settling: "Meist wird es binnen Minuten von selbst ausgezahlt. Wenn nicht, kann jeder das auslösen.",
      disputed: "Ist bis dahin nicht entschieden, geht an Sie zurück, was noch im Smart Contract ist.",
      agreed: "Zeigt die Blockchain die Einigung bis dahin nicht, scheitert sie, und der Arbiter entscheidet.",
      agreedLast:
        "Zeigt die Blockchain die Einigung bis dahin nicht, geht an Sie zurück, was noch im Smart Contract ist.",
      lapsed: "Meist wird es binnen Minuten von selbst ausgezahlt. Wenn nicht, kann jeder das auslösen.",
      decided: "Meist wird es binnen Minuten von selbst ausgezahlt. Wenn nicht, kann jeder das auslösen.",
    },
    nobodyWrites: "Vorher erhalten Sie keine E-Mail.",
    calendar: "Dieses Datum in den Kalender eintragen",
    calendarTitles: {
      protected: (what) => `Letzter Moment, um einen Streitfall zu eröffnen: ${what}`,
      disputed: (what) =>
        `Falls nicht entschieden wurde, geht jetzt an Sie zurück, was noch im Smart Contract ist: ${what}`,
      agreed: (what) => `Die Zeit, Ihre Einigung auszuführen, endet: ${what}`,
    },
    heldSilence: "Bis dahin bleibt das Geld im Smart Contract.",
    heldStep: "Sobald es ausgezahlt werden kann.",
    held: {
      recipient: {
        memo_required:
          "Es kann gerade nicht ausgezahlt werden: Das Token-Konto des Shops verlangt bei jeder Überweisung ein Memo. Der Shop muss das abschalten; dann wird von selbst ausgezahlt, oder jeder löst es aus.",
        account_frozen:
          "Es kann gerade nicht ausgezahlt werden: Der Herausgeber des Tokens hat das Token-Konto des Shops eingefroren. Nur er kann das aufheben; dann wird von selbst ausgezahlt.",
        account_missing:
          "Es kann gerade nicht ausgezahlt werden: Die Wallet des Shops hat kein Konto für dieses Token. Der Shop oder jeder andere kann eines eröffnen; dann wird von selbst ausgezahlt, oder jeder löst es aus.",
        other:
          "Es kann gerade nicht ausgezahlt werden: Das Netzwerk lehnt die Überweisung an den Shop ab. Der Betreiber dieser Website kennt den Grund.",
      },
      sender: {
        memo_required:
          "Es kann gerade nicht ausgezahlt werden: Das Token-Konto Ihrer Wallet verlangt bei jeder Überweisung ein Memo. Schalten Sie das in Ihrer Wallet ab; dann wird von selbst ausgezahlt, oder lösen Sie es hier aus.",
        account_frozen:
          "Es kann gerade nicht ausgezahlt werden: Der Herausgeber des Tokens hat das Token-Konto Ihrer Wallet eingefroren. Nur er kann das aufheben; dann wird von selbst ausgezahlt.",
        account_missing:
          "Es kann gerade nicht ausgezahlt werden: Ihre Wallet hat kein Konto für dieses Token mehr. Eröffnen Sie eines, indem Sie etwas von diesem Token empfangen; dann wird von selbst ausgezahlt, oder lösen Sie es hier aus.",
        other:
          "Es kann gerade nicht ausgezahlt werden: Das Netzwerk lehnt die Überweisung an Ihre Wallet ab. Bitten Sie den Shop, sich an den Betreiber dieser Website zu wenden.",
      },
    },
    stillPossible: {
      settling:
        "Sie können keinen Streitfall mehr eröffnen. Bis das Geld ausgezahlt ist, kann der Shop es noch zurückschicken: Fragen Sie ihn jetzt, wenn etwas nicht stimmt.",
      settled:
        "Stimmt jetzt etwas nicht, fragen Sie den Shop. Er kann Ihnen Geld zurückzahlen, aber nicht mehr aus diesem Smart Contract.",
      partly_refunded:
        "Stimmt jetzt etwas nicht, fragen Sie den Shop. Er kann Ihnen Geld zurückzahlen, aber nicht mehr aus diesem Smart Contract.",
    },
    money: "Wo das Geld ist",
    toYou: "gingen an Sie zurück",
    onTheWayToYou: "auf dem Weg zurück zu Ihnen",
    inEscrow: "im Smart Contract",
    onTheWayToShop: "auf dem Weg zum Shop",
    toShop: "gingen an den Shop",
    somethingWrong: "Etwas stimmt nicht",
    somethingWrongText:
      "Sagen Sie, was nicht stimmt. Sobald Ihre Wallet unterschrieben hat, ist das Geld gesperrt und ein Streitfall eröffnet.",
    unsent: "Was Sie zu Ihrem Streitfall geschrieben haben, liegt nur auf diesem Gerät; niemand hat es gelesen.",
    sendIt: "Jetzt senden",
    sendBy: "Senden Sie es bis {time}: Danach entscheidet der Arbiter, und Sie können vielleicht nicht mehr schreiben.",
    openCase: "Zum Streitfall",
    openCaseText: "Sehen Sie, was gesagt wurde, wer am Zug ist und was Sie tun können.",
    ways: {
      release: ["Geld jetzt freigeben", "Der Shop erhält es sofort. Das lässt sich nicht rückgängig machen."],
      settle: ["Shop jetzt bezahlen", "Jeder darf es beschleunigen, gegen die Gebühr des Netzwerks."],
      refund_unresolved: [
        "Geld jetzt zurückholen",
        "Schickt, was noch im Smart Contract ist, an die Wallet, die bezahlt hat, gegen die Gebühr des Netzwerks.",
      ],
      pay_out_sender: ["Ihren Teil jetzt holen", "Jeder darf es beschleunigen, gegen die Gebühr des Netzwerks."],
      pay_out_recipient: [
        "Dem Shop seinen Teil jetzt schicken",
        "Jeder darf es beschleunigen, gegen die Gebühr des Netzwerks.",
      ],
      close: [
        "Ihr Pfand zurückholen",
        "Schließt den Eintrag der Zahlung auf der Blockchain. Das Pfand des Netzwerks geht an Ihre Wallet.",
      ],
    },
    releaseInDispute:
      "Beendet Ihren Streitfall, und der Shop erhält das Geld. Kein Shop braucht das, um Ihnen Geld zurückzuschicken.",
    releaseIfAgreed:
      "Haben Sie sich beide geeinigt? Dann geben Sie nur auf der Seite Ihres Streitfalls frei, sobald es dort steht.",
    hints: {
      protected: (wallet) =>
        `Alles in Ordnung? Dann müssen Sie nichts tun. Für beide Schaltflächen wird die Wallet gebraucht, die bezahlt hat: ${wallet}.`,
      needed: (wallet) => `Für beide Schaltflächen wird die Wallet gebraucht, die bezahlt hat: ${wallet}.`,
      disputed: (wallet) =>
        `Der Shop kann das Geld jederzeit zurückschicken. Freigeben kann es nur die Wallet, die bezahlt hat: ${wallet}.`,
      anybody: "Jede Wallet darf das auslösen; das Geld geht dorthin, wohin es gehört.",
      deposit: (wallet) => `Das Pfand geht an die Wallet, die es bezahlt hat: ${wallet}.`,
    },
    needsScript:
      "Was hier getan werden kann, braucht JavaScript: Schalten Sie es ein, oder öffnen Sie diese Seite in der App der Wallet, die bezahlt hat.",
    next: "Wie es weitergeht",
    happened: "Was geschehen ist",
    paid: "Sie haben bezahlt",
    paidText: (amount) =>
      `${amount} gingen in einen Smart Contract auf Solana. Weder der Shop noch diese Website kommt an das Geld.`,
    partBack: "Der Shop hat einen Teil zurückgeschickt",
    partBackText: (amount) => `${amount} gehören Ihnen, was auch immer mit dem Rest geschieht.`,
    objectUntil: "Sie können einen Streitfall eröffnen bis",
    objectText:
      "Nichts angekommen, oder nicht das Bestellte? Sagen Sie es vorher hier. Danach können Sie nur noch den Shop fragen.",
    thenPaid: (shop) => `Dann geht das Geld an ${shop}`,
    thenPaidText: "Das geschieht von selbst.",
    undisputed: "Die Zeit für einen Streitfall ist abgelaufen",
    undisputedText: "Niemand hat einen eröffnet.",
    goesToShop: (amount, shop) => `${amount} gehen an ${shop}`,
    goesBack: (amount) => `${amount} gehen an Sie zurück`,
    goesText: "Meist von selbst, binnen Minuten.",
    disputed: "Sie haben einen Streitfall eröffnet",
    agreed: "Sie haben sich geeinigt",
    agreedText: "Auf der Seite Ihres Streitfalls steht, wer als Nächstes dran ist.",
    agreedParts: (buyer, shop) => `Sie erhalten ${buyer}, der Shop erhält ${shop}.`,
    agreedNext: {
      shop: "Als Nächstes ist der Shop dran: Er erstattet Ihren Teil.",
      you: "Als Nächstes sind Sie dran: Geben Sie den Teil des Shops auf der Seite Ihres Streitfalls frei.",
    },
    agreementFailed: "Die Einigung ist gescheitert",
    agreementFailedText: "Die Blockchain hat sie nicht rechtzeitig gezeigt.",
    arbiterDecides: "Der Arbiter entscheidet",
    arbiterDecidesElse: "Scheitert das, entscheidet der Arbiter",
    arbiterDecidesUnless: "Führen Sie keine Einigung aus, entscheidet der Arbiter",
    arbiterDecidesText:
      "Das Geld kann an Sie, an den Shop oder anteilig an beide gehen, nirgendwohin sonst. Niemand kann die Entscheidung zurücknehmen.",
    lapses: "Ist bis dahin nicht entschieden, geht an Sie zurück, was noch im Smart Contract ist",
    lapsed: "Es wurde nicht rechtzeitig entschieden",
    lapsedText: "Deshalb gehört das ganze Geld wieder Ihnen.",
    outcomes: {
      released_by_sender: "Sie haben das Geld freigegeben",
      settled: "Die Zeit für einen Streitfall ist abgelaufen",
      resolved: "Der Arbiter hat entschieden",
      refunded_by_recipient: "Der Shop hat es zurückgegeben",
      refunded_unresolved: "Es wurde nicht rechtzeitig entschieden",
    },
    outcomeTexts: {
      released_by_sender: "Die Wallet, die bezahlt hat, hat das unterschrieben.",
      settled: "Niemand hat einen eröffnet.",
      resolved: "Niemand kann die Entscheidung zurücknehmen.",
      refunded_by_recipient: "Der Shop hat das unterschrieben.",
      refunded_unresolved: "Deshalb gehört das ganze Geld wieder Ihnen.",
    },
    asAgreed: "Wie Sie beide vereinbart haben.",
    wentToShop: (amount, shop) => `${amount} gingen an ${shop}`,
    wentBack: (amount) => `${amount} gingen an Sie zurück`,
    vanishedStep: "Das Netzwerk hat die Zahlung verworfen",
    vanishedText: "Am Ende ist kein Geld geflossen.",
    decision: {
      title: "Die Entscheidung",
      agreed: "Entschieden, wie beide Seiten es vereinbart hatten.",
      elsewhere: "Außerhalb dieses Dienstes entschieden, ohne Gründe.",
      memos: {
        unknown: "Das Memo des Arbiters nennt keinen Datensatz dieses Dienstes.",
        none: "Die Entscheidung hat kein Memo.",
        other_signer: "Die Entscheidung hat ein Memo, das der Arbiter nicht unterschrieben hat.",
        several: "Der Arbiter hat mehr als ein Memo unterschrieben, deshalb zählt keines.",
      },
      arbiter: "Arbiter",
      time: "Entschieden",
      transaction: "Transaktion",
      hash: "Fingerabdruck in ihrem Memo",
    },
    decidedToYou: "an Sie",
    decidedToShop: "an den Shop",
    decidedMore: (amount) => `Der Shop hat mehr zurückgegeben: Insgesamt gehören Ihnen ${amount}.`,
    decidedWithReasons: "Gründe sind nur mit dem vollständigen Link dieses Belegs zu sehen.",
    reasonsErased: "Die Gründe wurden gelöscht: {time}.",
    readCase: "Streitfall lesen",
    judgeIsShop:
      "Hier entscheidet genau das Konto, an das der Shop sein Geld erhält: Der Shop entscheidet über seine eigenen Streitfälle.",
    details: "Einzelheiten",
    paidBy: "Bezahlt von",
    paidTo: "Bezahlt an",
    payment: "Zahlung",
    transaction: "Transaktion",
    arbiter: "Arbiter",
    token: "Token",
    terms: "Bedingungen",
    termsLink: "Die Bedingungen, wie diese Website sie vor der Zahlung gezeigt hat.",
    termsMatch: "Ihr Fingerabdruck auf der Blockchain stimmt überein.",
    termsDiffer:
      "Ihr Fingerabdruck auf der Blockchain stimmt überein, aber die Zahlung hat andere Bedingungen als der Text.",
    termsUnknown: "Die Zahlung nennt einen Text, den diese Website nicht hat.",
    termsNone: "Die Zahlung nennt keinen Text.",
    program: "Programm",
    operator: "Betreiberkonto",
    printed: "Adresse dieses Belegs",
    printedAt: "Stand",
    checked: "Geprüft",
    checkedAt: (slot) => `auf der Blockchain, bei Slot ${slot}`,
    reference: "Bestellung",
    order: "Bestellseite",
    openOrder: "Bezahlseite dieser Bestellung öffnen",
    contact: "Kontakt",
    noContact: "Der Shop hat hier keinen Kontakt genannt. Vielleicht steht einer in seiner Bestellbestätigung.",
    delivery: "Lieferung",
    trackAt: "Sendung verfolgen bei {host}",
    sentAt: "Versandt: {time}",
    deliveredAt: "Zugestellt: {time}",
    signedAnswer: "Der Server des Shops hat seine Antwort signiert, SHA-256 {hash}",
    shopSays: "Angabe des Shops: {time}",
    explorer: "Im Explorer ansehen",
    deposits: "Das Pfand des Netzwerks",
    depositsOfBuyer: "Beim Bezahlen haben Sie dem Netzwerk zwei Pfandbeträge überlassen.",
    depositsOfOther:
      "Eine andere Wallet hat die zwei Pfandbeträge des Netzwerks für Sie bezahlt, deshalb gehen sie an diese zurück: {wallet}.",
    depositsUnknown: "Dem Netzwerk wurden zwei Pfandbeträge überlassen.",
    vaultBack: (sol) => `${sol ?? "Das Pfand des Smart Contracts"}: kam zurück, als der letzte Teil ausgezahlt wurde.`,
    vaultComes: (sol) =>
      `${sol ?? "Das Pfand des Smart Contracts"}: kommt von selbst zurück, wenn der letzte Teil ausgezahlt wird.`,
    recordBack: "Der größte Teil des Rests kam zurück, als der Eintrag der Zahlung geschlossen wurde.",
    recordDue: (sol) =>
      `${sol ?? "Der größte Teil des Rests"}: kommt zurück, wenn der Eintrag der Zahlung geschlossen wird; das darf jetzt jeder.`,
    recordFrom: (sol) =>
      `${sol ?? "Der größte Teil des Rests"}: kommt zurück, wenn der Eintrag der Zahlung geschlossen wird; das darf jeder ab {time}.`,
    recordLater: (sol) =>
      `${sol ?? "Der größte Teil des Rests"}: kommt zurück, wenn der Eintrag der Zahlung geschlossen wird; das darf jeder ab 90 Tagen nach der letzten Auszahlung.`,
    tombstone: (sol) =>
      `${sol ?? "Ein kleiner Teil davon"}: kommt nie zurück. Damit kann die Adresse der Zahlung nicht noch einmal benutzt werden. Auch die Gebühr des Netzwerks kommt nicht zurück.`,
    about: (sol) => `Etwa ${sol}`,
    shopAccount:
      "Hatte der Shop noch kein Konto für dieses Token, hat Ihre Zahlung es auch eröffnet. Diese Einlage bleibt beim Konto des Shops und kommt nicht zurück.",
    byThisMoment: "Die Beträge entsprechen den Preisen des Netzwerks in diesem Augenblick.",
    print: "Drucken oder als PDF sichern",
    copy: "Link kopieren",
    copyAddress: "Kopieren",
    save: "Signierte Datei sichern",
    saveText:
      "Ist der Eintrag der Zahlung geschlossen, zeigt die Blockchain nur noch, wie sie endete. Die signierte Datei bewahrt den Rest: Sichern Sie sie vorher.",
    keep: "Die Adresse dieser Seite ist Ihr Beleg. Bewahren Sie sie auf.",
    keepKey:
      "Die Adresse dieser Seite ist Ihr Beleg. Bewahren Sie sie auf: Wer sie hat, kann hier Ihre Bestellung lesen.",
    find: "Zahlung suchen",
    unknownTitle: "Hier noch nicht bekannt",
    unknownText:
      "Diese Website hat unter dieser Adresse keine Zahlung gesehen. Ist sie eben erst erfolgt, laden Sie diese Seite gleich noch einmal. Ist sie älter, prüfen Sie die Adresse: Sie kann zu einer anderen Website gehören.",
    findTitle: "Ihre Zahlung suchen",
    findText:
      "Fügen Sie die Signatur ihrer Transaktion oder ihre Adresse ein: Beides zeigt der Verlauf Ihrer Wallet. Auch der Link oder die Nummer einer Bestellung oder die Adresse der Wallet, die bezahlt hat, führt zum Ziel.",
    findLabel: "Signatur, Zahlung, Bestellung oder Wallet",
    findButton: "Suchen",
    findNothing: "Hier wurde nichts gefunden.",
    findNothingText:
      "Prüfen Sie, ob alles eingefügt wurde. Eine eben gesendete Transaktion braucht einen Moment: Versuchen Sie es dann noch einmal. Sie kann auch zu einer anderen Website gehören.",
    findInvalid: "Das ist weder eine Signatur noch eine Adresse noch eine Bestellung.",
    findAway:
      "Das Netzwerk kann gerade nicht gefragt werden, und diese Website hat die Zahlung noch nicht erfasst. Versuchen Sie es gleich noch einmal.",
    found: "Gefundene Zahlungen",
    connect: "Oder fragen Sie die Wallet, die bezahlt hat",
    script: {
      nothing: "Es wurde nichts geändert",
      listOf: "Zahlungen von {wallet}",
      demo: "Demo-Wallet",
    },
    foundMore: (count) => `Gezeigt werden die neuesten ${count}.`,
    request: {
      label: "Geschützte Zahlung",
      opens: (amount) => `Streitfall über ${amount} eröffnen`,
      releases: (amount) => `${amount} für den Shop freigeben`,
      endsDispute: (shop) => `Beendet Ihren Streitfall. Der Shop erhält ${shop}, Sie nichts.`,
      endsDisputeKept: (shop, buyer) => `Beendet Ihren Streitfall. Der Shop erhält ${shop}, Sie behalten ${buyer}.`,
      paysShop: (amount) => `${amount} an den Shop auszahlen`,
      takesBack: (amount) => `${amount} an den Käufer zurückholen`,
      paysBuyer: (amount) => `${amount} an den Käufer auszahlen`,
      closes: "Pfand einer Zahlung zurückgeben",
    },
    foundStates: {
      protected: "Geschützt",
      settling: "Geht an den Shop",
      disputed: "Streitfall eröffnet",
      lapsed: "Geht zurück",
      decided: "Entschieden",
      settled: "An den Shop gezahlt",
      partly_refunded: "Aufgeteilt",
      refunded: "Erstattet",
      vanished: "Verschwunden",
    },
  },

  actions: {
    nothing: "Es wurde nichts geändert",
    tokens: "Token",
    lessThanAMinute: "weniger als eine Minute",
    lost: "Die Verbindung ist unterbrochen. Ihre Zahlung ist nicht verloren: Diese Seite fragt von selbst wieder nach.",
    disputeTitle: "Streitfall eröffnen?",
    disputeText:
      "Damit sind {amount} sofort gesperrt. Der Shop kann sie weiterhin zurückschicken, der Arbiter kann entscheiden, und nach 90 Tagen ohne Entscheidung geht alles an Sie zurück.",
    releaseTitle: "Geld jetzt freigeben?",
    releaseText: "Damit erhält der Shop jetzt {shop}. Das lässt sich nicht rückgängig machen.",
    releaseTextKept:
      "Damit erhält der Shop jetzt {shop}; {buyer} bleiben Ihnen. Das lässt sich nicht rückgängig machen.",
    releaseDisputedText:
      "Das beendet Ihren Streitfall. Der Shop erhält {shop}, und Sie erhalten nichts zurück. Kein Shop braucht das, um Ihnen Geld zu erstatten. Das lässt sich nicht rückgängig machen.",
    releaseDisputedTextKept:
      "Das beendet Ihren Streitfall. Der Shop erhält {shop}, und Sie behalten {buyer}. Kein Shop braucht das, um Ihnen Geld zu erstatten. Das lässt sich nicht rückgängig machen.",
    settleText:
      "Die Zeit zum Beanstanden ist abgelaufen. Damit gehen {shop} an den Shop, wie es sonst von selbst geschieht.",
    refundUnresolvedText:
      "Binnen 90 Tagen wurde nicht entschieden. Damit gehen {amount} an die Wallet zurück, die bezahlt hat: {sender}.",
    payOutSenderText:
      "Damit gehen {buyerRest} an die Wallet, die bezahlt hat: {sender}. Niemand kann das zurücknehmen.",
    payOutRecipientText: "Damit gehen {shopRest} an den Shop, wie es entschieden wurde.",
    closeText:
      "Damit wird der Eintrag der Zahlung auf der Blockchain geschlossen, und ihr Pfand geht an {payer}. Die Blockchain zeigt dann nur noch, wie die Zahlung endete: Sichern Sie diese Seite vorher.",
    rentPayer: "die Wallet, die es bezahlt hat",
    releaseWith: "Mit {wallet} freigeben",
    signWith: "Mit {wallet} unterschreiben",
    typeAmount: "Geben Sie {amount} ein, um zu bestätigen, dass der Shop das erhält",
    typeAmountWrong: "Geben Sie zuerst {amount} ein. Es wurde nichts unterschrieben.",
    neededWallet: "Dafür wird die Wallet gebraucht, die bezahlt hat: {needed}.",
    anyWallet: "Das darf jede Wallet senden. Sie zahlt die Gebühr des Netzwerks und erhält nichts.",
    cancel: "Abbrechen",
    confirmIn: "Bestätigen Sie in {wallet}. Das Netzwerk nimmt {cost} SOL.",
    confirmFree: "Bestätigen Sie in {wallet}. Sie brauchen kein SOL.",
    makesAccount:
      "Mit {account} SOL davon wird Ihr Konto für dieses Token eröffnet; sie kommen zurück, wenn Sie dieses Konto schließen.",
    returns: "{back} SOL Pfand kommen an {to} zurück.",
    otherTab:
      "In einem anderen Tab geschieht das gerade. Schließen Sie den Vorgang dort ab, oder machen Sie hier weiter, wenn Sie ihn geschlossen haben.",
    noWallet:
      "In diesem Browser wurde keine Wallet gefunden. Installieren Sie eine, oder nutzen Sie unten einen anderen Weg.",
    walletElsewhere: "{wallet} ist mit einem anderen Netzwerk verbunden",
    openIn: "In {wallet} öffnen",
    openAppText: "Dieselbe Seite öffnet sich im Browser der App; dort kann deren Wallet unterschreiben.",
    phone: "Mit dem Handy unterschreiben",
    phoneText:
      "Scannen Sie ihn mit der Kamera einer Wallet-App. Die App zeigt, was sie unterschreibt; diese Seite aktualisiert sich von selbst.",
    phoneNeedsHttps: "Eine Wallet-App nimmt nur Codes von https-Adressen an, und diese Website hat keine.",
    solanaPay: "Wallet-App über einen Solana-Pay-Link öffnen",
    multisig: "Anweisungen für eine Wallet mit mehreren Unterzeichnern",
    multisigText:
      "Für {needed}, falls das ein Konto mehrerer Unterzeichner ist. Sie sind nur für diesen Vorgang, und die Mitglieder können sich Zeit lassen.",
    multisigMake: "Anweisungen vorbereiten",
    multisigInstructions: "Anweisungen (JSON)",
    copy: "Kopieren",
    copied: "Kopiert",
    copyFailed: "Kopieren war nicht möglich. Markieren Sie den Text, und kopieren Sie ihn von Hand.",
    demo: "Demo-Wallet",
  },

  disputeForm: {
    title: (amount) => `Etwas stimmt nicht: ${amount}`,
    back: "Zurück zum Beleg",
    open: {
      title: "Was stimmt nicht?",
      lead: "Schreiben Sie es auf, solange Sie sich erinnern: Diese Seite bewahrt es auf diesem Gerät auf. Eröffnet wird der Streitfall mit einer Transaktion, die das Geld sperrt und sonst nichts aussagt. Das ist möglich bis {time}.",
    },
    disputed: {
      title: "Ihr Streitfall ist eröffnet",
      lead: "Die Blockchain zeigt ihn, und Ihr Geld ist gesperrt. Was Sie geschrieben haben, liegt nur auf diesem Gerät, bis Sie es senden. Eröffnet: {time}.",
    },
    over: {
      title: "Jetzt kann kein Streitfall eröffnet werden",
      lead: "Auf dem Beleg steht, wo das Geld ist und was Sie noch tun können. Was Sie geschrieben haben, bleibt auf diesem Gerät.",
    },
    toCase: "Zum Streitfall, um es zu senden",
    ask: "Eine Nachricht an den Shop ist oft der schnellste Weg. Die Zeit für einen Streitfall läuft währenddessen weiter.",
    askUnknown:
      "Fragen Sie auch den Shop: Eine Nachricht ist oft der schnellste Weg. Die Zeit für einen Streitfall läuft währenddessen weiter.",
    reason: "Grund",
    reasonText: "Wählen Sie, was am besten passt.",
    usualOutcome: "Üblicher Ausgang",
    reasons: {
      not_received: [
        "Es ist nicht angekommen",
        "Es kam nichts, oder nur ein Teil.",
        [
          "Notieren Sie das Datum, das der Shop versprochen hat.",
          "Bewahren Sie die Sendungsnummer auf, oder die Nachrichten des Shops zur Lieferung.",
        ],
      ],
      not_as_described: [
        "Es entspricht nicht der Beschreibung",
        "Defekt, falsch, oder anders als vom Shop versprochen.",
        [
          "Fotografieren Sie, was Sie erhalten haben.",
          "Bewahren Sie auf, was die Seite des Shops versprochen hat: als Bild oder gespeicherte Seite.",
          "Bewahren Sie die Ware auf.",
        ],
      ],
      paid_twice: [
        "Ich habe doppelt bezahlt",
        "Zwei Zahlungen für eine Bestellung.",
        [
          "Notieren Sie die Adresse der anderen Zahlung: Sie steht auf deren Beleg.",
          "Der Shop kann diese hier von sich aus zurückschicken.",
        ],
      ],
      returned_or_canceled: [
        "Ich habe es zurückgegeben oder storniert",
        "Der Shop hat die Ware zurück, oder Sie haben die Bestellung rechtzeitig storniert.",
        ["Bewahren Sie den Einlieferungsbeleg auf.", "Bewahren Sie die Stornobestätigung des Shops auf."],
      ],
      other: [
        "Etwas anderes",
        "Es zählt, was Sie schreiben.",
        ["Schreiben Sie, was Sie mit dem Shop vereinbart haben und was stattdessen geschehen ist."],
      ],
    },
    text: "In Ihren Worten",
    textHint: "Was haben Sie bestellt, was ist geschehen, und wann?",
    textMax: 5_000,
    want: "Was möchten Sie zurück?",
    wantText: "Sie können sich mit dem Shop immer noch auf einen anderen Betrag einigen.",
    all: (amount, isRest) => `${isRest ? "Den Rest" : "Alles"}: ${amount}`,
    part: "Einen Teil",
    partText: "Sie behalten die Ware, oder einen Teil davon.",
    partLabel: (unit) => `Betrag zurück, in ${unit}`,
    copyDraft: "Meinen Text kopieren",
    deleteDraft: "Von diesem Gerät löschen",
    happens: "Was geschieht, wenn Sie den Streitfall eröffnen",
    happensNow: "Was jetzt geschieht",
    frozen: "Sofort: Das Geld ist gesperrt",
    frozenNow: "Das Geld ist gesperrt",
    frozenText: (amount) => `${amount} bleiben im Smart Contract. Keine Seite kann allein darüber verfügen.`,
    shopCan: "Jederzeit: Der Shop kann es zurückschicken",
    shopCanText: "Alles oder einen Teil, ohne Ihr Zutun. Geben Sie das Geld nie gegen ein Versprechen frei.",
    arbiterCan: "Ohne Einigung: Der Arbiter kann entscheiden",
    talkFirst: "Zuerst sprechen Sie und der Shop; wie lange, steht auf der Seite Ihres Streitfalls.",
    arbiterCanText:
      "Das Geld kann an Sie oder an den Shop gehen, oder aufgeteilt werden. Niemand kann die Entscheidung zurücknehmen.",
    lapses: "Nach 90 Tagen: An Sie geht zurück, was noch im Smart Contract ist",
    lapsesText: "Nur, wenn bis dahin nicht entschieden ist: {time}.",
    button: "Streitfall eröffnen",
    signs: (wallet) =>
      `Die Wallet, die bezahlt hat, ${wallet}, unterschreibt eine Transaktion. Außer der Gebühr des Netzwerks, die vorher gezeigt wird, verlässt sie kein Geld.`,
    notSent: "Was Sie geschrieben haben, ist nicht Teil der Transaktion, und diese Seite sendet es niemandem.",
    needsScript:
      "Um hier einen Streitfall zu eröffnen, wird JavaScript gebraucht: Schalten Sie es ein, oder öffnen Sie diese Seite in der App der Wallet, die bezahlt hat.",
    script: {
      saved: "Um {time} auf diesem Gerät gesichert, und niemandem gesendet.",
      notSaved: "Dieser Browser bewahrt nichts auf. Kopieren Sie Ihren Text, bevor Sie diese Seite verlassen.",
      deleted: "Von diesem Gerät gelöscht.",
      count: "{count} von 5.000",
      partHint: "Sie möchten {part} zurück; der Shop behält {rest}.",
      partWrong: "Geben Sie einen Betrag über null ein, höchstens {amount}.",
      copyPayment: "Zahlung über {amount}: {payment}",
      copyReason: "Grund: {reason}",
      copyWanted: "Ich möchte zurück: {wanted}",
    },
  },

  dispute: {
    offerStatuses: {
      open: "Offen",
      accepted: "Angenommen",
      declined: "Abgelehnt",
      withdrawn: "Zurückgezogen",
      replaced: "Nicht mehr offen",
      expired: "Beendet",
    },
    questions: {
      open: "Antworten ist möglich bis {time}.",
      over: "Antworten war möglich bis {time}.",
      answered: "Sie wurde beantwortet.",
      answeredOpen: "Sie wurde beantwortet. Beide Seiten können noch schreiben bis {time}.",
      decided: "Die Frage endete mit der Entscheidung: {decided}. Antworten wäre möglich gewesen bis {time}.",
    },
    erasedAt: "Gelöscht: {time}",
    head: {
      yours: "Sie sind am Zug bis {time}",
      others: "Der Shop ist am Zug bis {time}",
      asked: "Der Arbiter fragt Sie. Antworten Sie bis {time}",
      arbiter: "Der Arbiter soll bis {time} entscheiden",
      overdue: "Der Arbiter sollte bis {time} entscheiden",
      lapsed: "Es wurde nicht rechtzeitig entschieden",
      agreedYours: "Sie sind sich einig. Als Nächstes geben Sie frei, bis {time}",
      agreedOthers: "Sie sind sich einig. Als Nächstes erstattet der Shop, bis {time}",
      decided: "Der Arbiter hat entschieden",
      paused: "Unterbrochen",
      closed: "Geschlossen",
    },
    silence: {
      yours:
        "Antworten Sie, machen Sie ein Angebot, oder schreiben Sie, was der Arbiter wissen soll. Unternehmen Sie nichts, entscheidet er nach dem, was hier steht.",
      others:
        "Der Shop kann antworten, ein Angebot machen oder das Geld zurückschicken. Kommt nichts, entscheidet der Arbiter nach dem, was hier steht.",
      asked:
        "Der Arbiter hat Ihnen und dem Shop eine Frage gestellt. Antworten Sie nicht, entscheidet er nach dem, was hier steht.",
      askedAlone:
        "Der Arbiter hat Ihnen eine Frage gestellt. Antworten Sie nicht, entscheidet er nach dem, was hier steht.",
      reply:
        "Der Shop hat die Frage des Arbiters beantwortet, und Sie können erwidern. Tun Sie es nicht, entscheidet der Arbiter nach dem, was hier steht.",
      spent:
        "Sie haben so viele Texte gesendet, wie Sie dürfen. Unternehmen Sie nichts weiter, entscheidet der Arbiter nach dem, was hier steht.",
      othersAsked:
        "Der Arbiter hat Ihnen und dem Shop eine Frage gestellt, und der Shop hat noch nicht geantwortet. Kommt keine Antwort, entscheidet der Arbiter nach dem, was hier steht.",
      othersAskedAlone:
        "Der Arbiter hat dem Shop eine Frage gestellt. Kommt keine Antwort, entscheidet er nach dem, was hier steht.",
      othersReply:
        "Sie haben die Frage des Arbiters beantwortet, und der Shop kann erwidern. Tut er es nicht, entscheidet der Arbiter nach dem, was hier steht.",
      arbiter: "Der Arbiter entscheidet nach dem, was hier steht. Sie können sich immer noch einigen.",
      failed:
        "Der Arbiter entscheidet nach dem, was hier steht. Ihre Einigung ist gescheitert, und eine zweite gibt es nicht.",
      lapsed:
        "An Sie geht zurück, was noch im Smart Contract ist, meist binnen Minuten von selbst. Wenn nicht, kann jeder das auslösen.",
      agreedYours:
        "Als Nächstes geben Sie frei. Zeigt die Blockchain die Einigung bis dahin nicht, scheitert sie, und der Arbiter entscheidet.",
      agreedOthers:
        "Als Nächstes erstattet der Shop. Zeigt die Blockchain die Einigung bis dahin nicht, scheitert sie, und der Arbiter entscheidet.",
      agreedYoursLast:
        "Als Nächstes geben Sie frei. Zeigt die Blockchain die Einigung bis dahin nicht, geht an Sie zurück, was noch im Smart Contract ist.",
      agreedOthersLast:
        "Als Nächstes erstattet der Shop. Zeigt die Blockchain die Einigung bis dahin nicht, geht an Sie zurück, was noch im Smart Contract ist.",
      decided: "Was jeder von Ihnen erhält, wird jetzt ausgezahlt, meist binnen Minuten von selbst.",
      paused:
        "Das Netzwerk hat die Eröffnung des Streitfalls zurückgenommen. Er geht weiter, sobald das Netzwerk sie wieder zeigt; alle Texte bleiben erhalten.",
      closed: "Dieser Streitfall ist beendet. Auf dem Beleg steht, wer was erhalten hat.",
    },
    writeToo: "Bis dahin können auch Sie schreiben.",
    answerOnce: "Sie können noch eine Nachricht schreiben, bis {time}.",
    othersAnswerOnce: "Der Shop kann noch eine Nachricht schreiben, bis {time}.",
    bothWrite: "Nach der Frage des Arbiters können Sie beide noch schreiben bis {time}.",
    cannotWrite:
      "Sie können jetzt nicht schreiben: Der Arbiter entscheidet nach dem, was hier steht. Können Sie wieder schreiben, steht es hier.",
    track: {
      opened: { title: "Eröffnet", text: "{time}. Damit wurde das Geld gesperrt." },
      talk: { title: "Beide Seiten sprechen miteinander", text: "Bis {time}" },
      talked: { title: "Das Gespräch ist beendet", text: "{time}" },
      agreed: { title: "Beide Seiten sind sich einig", text: "Bis {time} können beide es ausführen" },
      decide: { title: "Der Arbiter entscheidet", text: "Fällig bis {time}" },
      decideLate: {
        title: "Der Arbiter entscheidet",
        text: "Fällig bis {time}. Die Frage kam spät: Antworten sind auch danach möglich.",
      },
      decideElse: { title: "Scheitert das, entscheidet der Arbiter", text: "Fällig bis {time}" },
      lapsed: { title: "Die Zeit für eine Entscheidung ist vorbei", text: "{time}" },
      decided: { title: "Der Arbiter hat entschieden", text: "{time}" },
      asAgreed: { title: "Beide Seiten haben die Einigung ausgeführt", text: "Alles ausgezahlt bis {time}" },
      ended: { title: "Der Streitfall ist beendet", text: "Alles ausgezahlt bis {time}" },
      lapse: {
        title: "Wenn niemand entscheidet",
        text: "Ab {time} geht an Sie zurück, was noch im Smart Contract ist.",
      },
    },
    decideLater: "Wenn Sie sich nicht einigen. Das Datum steht fest, sobald das Gespräch endet.",
    decideOverdue: "War fällig bis {time}",
    overdue:
      "Die Entscheidung ist überfällig. Der Arbiter kann noch bis {time} entscheiden; danach geht an Sie zurück, was noch im Smart Contract ist.",
    said: {
      opened: "· Streitfall eröffnet, auf der Blockchain unterschrieben: {time}",
      wrote: "· Nachricht: {time}",
      offered: "· Angebot: {time}",
      asked: {
        both: "· Frage an beide Seiten: {time}",
        buyer: "· Frage an Sie: {time}",
        merchant: "· Frage an den Shop: {time}",
      },
    },
    unanswered: {
      both: "Keine der beiden Seiten hat geantwortet.",
      buyer: "Sie haben nicht geantwortet.",
      merchant: "Der Shop hat nicht geantwortet.",
    },
    ownOffer: "Der Shop kann Ihr Angebot annehmen.",
    offering: {
      make: "Angebot machen",
      sentence: "Ein Satz an den Shop (freiwillig)",
      decline: "Ablehnen",
      withdraw: "Zurückziehen",
      replaces: "Ein neues Angebot ersetzt Ihr offenes.",
    },
    asking: {
      ask: "Entscheidung verlangen",
      text: "Verlangen Sie beide die Entscheidung, endet das Gespräch, und der Arbiter entscheidet. Sie können das nicht zurücknehmen.",
      textLast:
        "Der Shop hat die Entscheidung verlangt. Verlangen Sie sie auch, endet das Gespräch jetzt, und Sie können das nicht zurücknehmen.",
      asked:
        "Sie haben die Entscheidung verlangt. Das Gespräch geht weiter, bis auch der Shop sie verlangt oder die Zeit dafür endet.",
      othersAsked:
        "Der Shop hat die Entscheidung verlangt. Verlangen Sie sie auch, endet das Gespräch sofort, und der Arbiter entscheidet. Sonst sprechen Sie miteinander mindestens bis {time}.",
    },
    files: {
      kinds: { pdf: "PDF", text: "Text" },
      title: "Dateien",
      choose: "Dateien zum Senden",
      hint: "Bilder, PDFs und reine Texte bis 5 MB. Der Shop und der Arbiter sehen sie, und niemand kann sie ändern oder löschen. Ort und andere verborgene Daten von Bildern werden entfernt.",
      asWord:
        "Solange der Arbiter noch nicht entschieden hat, zählt eine Datei als Ihre eine Antwort: Senden Sie zuerst Ihren Text.",
      follow: "Dateien können eine Stunde lang folgen, längstens bis der Shop antwortet.",
      send: "Dateien senden",
      count: (sent, most) => `${sent} von ${most} gesendet`,
      progress: "Fortschritt",
      sending: {
        file: "{name} wird gesendet …",
        size: "Eine Datei hat 1 Byte bis 5 Megabyte.",
        unread: "Die Datei konnte nicht gelesen werden. Wählen Sie sie noch einmal.",
        insecure: "Ohne https können keine Dateien gesendet werden.",
      },
    },
    unsaid:
      "Ihr Streitfall ist eröffnet, und das Geld im Smart Contract ist gesperrt. Noch hat niemand ein Wort von Ihnen gelesen: Sagen Sie, was nicht stimmt. Tun Sie es nicht und einigen Sie sich nicht mit dem Shop, entscheidet der Arbiter ohne ein Wort von Ihnen.",
    offered: (amount) => `Der Shop bietet Ihnen ${amount} an, und Sie können das annehmen.`,

    title: (amount) => `Streitfall über ${amount}`,
    back: "Zurück zum Beleg",
    proofTitle: "Zeigen Sie, dass Sie bezahlt haben",
    proofOpen:
      "Der Streitfall ist eröffnet, und das Geld ist gesperrt. Falls Sie noch nicht gesagt haben, was nicht stimmt, und es noch können, tun Sie es als Nächstes.",
    proofText:
      "Ihre Wallet unterschreibt einmal einen Text. 30 Tage lang zeigt dieser Browser dann Ihre Bestellung und wie Sie den Shop erreichen, und Sie können lesen, was in einem Streitfall über diese Zahlung gesagt wurde, und schreiben, solange das möglich ist. Die Unterschrift bewegt kein Geld und verpflichtet Sie zu nichts.",
    proofWallet: (wallet) => `Es unterschreibt die Wallet, die bezahlt hat: ${wallet}.`,
    proofPanel: "Mit Ihrer Wallet unterschreiben",
    proofSmart: "Eine Smart-Wallet, oder eine Wallet mit mehreren Unterzeichnern",
    proofSmartText:
      "Sie unterschreibt diesen Text als Memo auf der Blockchain, allein oder zusammen mit der Eröffnung eines Streitfalls. Sie haben sieben Tage Zeit. Geben Sie danach die Signatur dieser Transaktion ein.",
    proofSmartMake: "Memo anzeigen",
    proofMemo: "Memo",
    proofPlain: "Anweisungen (JSON)",
    proofLanded: "Signatur der Transaktion",
    proofLandedSend: "Prüfen",
    needsScript:
      "Zum Nachweisen und Schreiben wird hier JavaScript gebraucht: Schalten Sie es ein, oder öffnen Sie diese Seite in der App der Wallet, die bezahlt hat.",
    noCase: "Es ist kein Streitfall eröffnet",
    noCaseText: "Schreiben können Sie, sobald ein Streitfall eröffnet ist. Eröffnen Sie einen auf dem Beleg.",
    unsent:
      "Was Sie geschrieben haben, liegt nur auf diesem Gerät; niemand hat es gelesen. Unterschreiben Sie, und senden Sie es dann.",
    look: {
      buyer: "Sie erhalten keine E-Mails: Sehen Sie täglich nach. Sie sind am Zug bis {time}.",
      merchant: "Sie erhalten keine E-Mails: Sehen Sie täglich nach. Der Shop ist am Zug bis {time}.",
      arbiter: "Sie erhalten keine E-Mails: Sehen Sie täglich nach. Der Arbiter will bis {time} entscheiden.",
      lapse: "Sie erhalten keine E-Mails: Sehen Sie täglich nach. Der Arbiter kann bis {time} entscheiden.",
    },
    calendar: "Die Daten in den Kalender eintragen",
    dates: {
      buyer: "Ende Ihrer Frist",
      merchant: "Ende der Frist des Shops",
      arbiter: "Frist für die Entscheidung",
    },
    lapseDate: "Ist bis dahin nicht entschieden, geht an Sie zurück, was noch im Smart Contract ist.",
    usualOutcome: "Üblicher Ausgang",
    talk: "Was gesagt wurde",
    you: "Sie",
    shop: "Der Shop",
    allErased: "Die Texte und Dateien dieses Streitfalls wurden gelöscht: {time}",
    asked: (amount) => `Gefordert: insgesamt ${amount}.`,
    releaseAsked:
      "Verlangt der Shop, dass Sie das Geld freigeben? Das würde Ihren Streitfall beenden und den Shop bezahlen. Kein Shop braucht das, um Ihnen Geld zu erstatten.",
    offerOfYou: "Ihr Angebot",
    offerOfShop: "Das Angebot des Shops",
    toYou: "an Sie",
    toShop: "an den Shop",
    openUntil: "Offen bis {time}",
    gain: (now, total) => `weitere ${now} (insgesamt ${total})`,
    had: (total) => `insgesamt ${total}, die Sie schon haben`,
    accept: (amount) => `Annehmen: ${amount} erhalten`,
    acceptTexts: {
      both: "Mit der Annahme einigen Sie sich beide auf diese Beträge. Ihre Wallet unterschreibt jetzt Ihre Zustimmung; das Geld wird ausgezahlt, sobald der Shop Ihren Teil erstattet hat und Sie den Rest freigegeben haben.",
      refund:
        "Mit der Annahme einigen Sie sich beide darauf, dass Sie alles erhalten. Ihre Wallet unterschreibt jetzt Ihre Zustimmung; das Geld wird ausgezahlt, sobald der Shop es erstattet hat.",
      release:
        "Mit der Annahme einigen Sie sich beide auf diese Beträge. Ihre Wallet unterschreibt jetzt Ihre Zustimmung; das Geld wird ausgezahlt, sobald Sie es für den Shop freigegeben haben.",
    },
    opening: "Sagen Sie, was nicht stimmt",
    openingText: "Der Shop und der Arbiter lesen es. Es wird einmal gesendet und kann nicht geändert werden.",
    reason: "Grund",
    want: (unit) => `Sie möchten zurück (${unit})`,
    wantMore: (amount) => `Zusätzlich zu ${amount}, die Ihnen schon gehören.`,
    text: "In Ihren Worten",
    sendOpening: "An den Shop senden",
    answer: "Zum Streitfall hinzufügen",
    answerText: "Der Shop und der Arbiter lesen es. Nach dem Senden kann es nicht geändert werden.",
    neverRelease: "Geben Sie das Geld nie gegen ein Versprechen frei.",
    sendAnswer: "Senden",
    offerText:
      "Der Betrag, den Sie am Ende haben. Ihre Wallet unterschreibt ihn, und der Shop kann ihn dann annehmen. Das Angebot gilt sieben Tage.",
    offerAmount: (unit) => `Sie erhalten insgesamt (${unit})`,
    offerHas: (amount) => `Davon gehören Ihnen schon ${amount}.`,
    sendOffer: "Angebot unterschreiben und senden",
    askSure: "Ja, Entscheidung verlangen",
    askUnwritten:
      "Sie haben noch nichts geschrieben. Sagen Sie zuerst, was nicht stimmt: Endet das Gespräch, entscheidet der Arbiter, und Sie können vielleicht nicht mehr schreiben.",
    agreed: (amount) => `Vereinbart: Sie erhalten ${amount}`,
    agreementFailed: (amount) =>
      `Sie hatten beide vereinbart, dass Sie ${amount} erhalten. Die Blockchain hat es nicht gezeigt bis {time}; deshalb ist die Einigung gescheitert.`,
    agreedRest: (amount) => `Der Shop erhält ${amount}.`,
    waitsRefund:
      "Als Nächstes ist der Shop dran: Er erstattet Ihren Teil auf der Blockchain. Danach geben Sie hier den Rest frei.",
    waitsRefundAlone:
      "Als Nächstes ist der Shop dran: Mit seiner Erstattung erhalten Sie alles. Sie müssen nichts mehr unterschreiben.",
    waitsRelease:
      "Als Nächstes sind Sie dran: Der Shop hat Ihren Teil auf der Blockchain erstattet. Geben Sie den Rest frei, wie vereinbart.",
    waitsReleaseAlone:
      "Als Nächstes sind Sie dran: Sie haben zugestimmt, nichts zurückzuerhalten, und mit Ihrer Freigabe erhält der Shop das Geld.",
    release: "Den Rest freigeben, wie vereinbart",
    releaseText: "Der Shop erhält seinen Teil der Vereinbarung. Das lässt sich nicht rückgängig machen.",
    releaseAnyway: "Geld freigeben",
    releaseAnywayText:
      "Beendet Ihren Streitfall, und der Shop erhält das Geld. Kein Shop braucht das, um Ihnen Geld zurückzuschicken.",
    facts: "Angaben",
    factsText: "Von der Blockchain und aus der Bestellung. Auch der Shop und der Arbiter sehen sie.",
    paidAt: "Bezahlt",
    openedAt: "Streitfall eröffnet",
    ordered: "Bestellt",
    reference: "Bestellung",
    inEscrow: "Im Smart Contract",
    sentBack: "Zurückgeschickt",
    sentBackDue: "Steht Ihnen schon zu",
    arbiter: "Arbiter",
    emails: "E-Mails zu diesem Streitfall",
    emailsText:
      "Wir schreiben, wenn Sie am Zug sind, wenn der Shop ein Angebot macht und wenn der Streitfall endet. Wir zitieren nichts, was geschrieben wurde.",
    email: "E-Mail-Adresse",
    sendLink: "Bestätigungslink senden",
    linkSent: "Öffnen Sie den Link, den wir an {email} senden",
    emailsGo: "E-Mails gehen an {email}",
    emailUnread: "Sie haben eine E-Mail-Adresse angegeben, sie lässt sich aber gerade nicht lesen.",
    removeEmail: "Entfernen",
    browsers: "Browser mit Zugang",
    browsersText: "Jeder hat die Wallet nachgewiesen. Beenden Sie die, die Sie nicht kennen.",
    thisBrowser: "Dieser Browser",
    since: "seit {time}",
    end: "Beenden",
    accessEnded: {
      title: "Der Zugang dieses Browsers ist beendet",
      text: "Der Zugang gilt 30 Tage, und jeder Browser, der ihn hat, kann ihn beenden. An Ihrer Zahlung und am Streitfall ändert das nichts. Um weiterzulesen, öffnen Sie diese Seite erneut und unterschreiben Sie mit der Wallet, die bezahlt hat.",
      open: "Mit Ihrer Wallet wieder öffnen",
    },
    script: {
      proveWith: "Mit {wallet} unterschreiben",
      proving: "Bestätigen Sie den Text in {wallet}. Er bewegt kein Geld.",
      checking: "Die Unterschrift wird geprüft …",
      binding: "Bestätigen Sie die Beträge in {wallet}. Noch wird kein Geld bewegt.",
      no_way:
        "{wallet} kann hier weder Texte noch Transaktionen unterschreiben. Nehmen Sie eine andere Wallet, oder den Weg für Smart-Wallets.",
      done: "Erledigt.",
      amountWrong: "Geben Sie einen Betrag von null bis {amount} ein.",
      textMissing: "Schreiben Sie zuerst etwas.",
      reasonMissing: "Wählen Sie zuerst einen Grund.",
      fileMissing: "Wählen Sie zuerst eine Datei.",
      fileSent: "{name}: gesendet.",
      saved: "Auf diesem Gerät gesichert, bis Sie es senden.",
      chooseWallet: "Wählen Sie die Wallet, die unterschreibt:",
      emailConfirmed: "Ihre E-Mail-Adresse ist bestätigt.",
    },
  },

  emailPages: {
    enterTitle: "E-Mails zu dieser Zahlung",
    enterText:
      "Sie erhalten Ihren Beleg und eine Nachricht, wenn die Bestellung versandt wurde, 48 Stunden bevor Ihr Schutz endet, und bei Erstattungen und Streitfällen. Sonst nichts: keine Werbung.",
    label: "Ihre E-Mail-Adresse",
    enter: "Link senden",
    invalid: "Geben Sie eine einzige E-Mail-Adresse ein, zum Beispiel kim@example.com.",
    kept: "Sie wird verschlüsselt aufbewahrt, niemandem gezeigt und ein Jahr nach dem Ende der Zahlung gelöscht.",
    enteredTitle: "Sehen Sie in Ihr Postfach",
    enteredText:
      "Eine E-Mail bittet Sie, die Adresse zu bestätigen, falls sie nicht schon bestätigt ist; höchstens eine am Tag. Haben Sie E-Mails an sie früher beendet, erlauben Sie sie wieder auf der Seite einer früheren E-Mail.",
    back: "Zurück zur Zahlung",
    notPaidText:
      "E-Mails beginnen mit einer Zahlung. Zu dieser Bestellung gibt es keine, oder ihre Adresse bleibt: Der Shop hat sie angegeben, oder ihr Postfach ist bestätigt.",
    consentTitle: "E-Mails zu Ihren Zahlungen",
    states: {
      none: "Ihre Adresse ist nicht bestätigt. Bis dahin werden nur Bitten um Bestätigung an sie gesendet, höchstens eine am Tag.",
      confirmed: "Ihre Adresse ist bestätigt. Sie erhalten E-Mails zu Zahlungen, bei denen sie angegeben ist.",
      stopped:
        "E-Mails an Ihre Adresse sind beendet: Es kommt keine mehr, von keinem Shop hier. Bei jeder Zahlung, für die E-Mails kamen, wurde die Adresse gelöscht. Ein daraus berechneter Code bleibt, damit auch spätere Zahlungen keine senden.",
    },
    confirm: "Bestätigen",
    allow: "E-Mails zu späteren Zahlungen erlauben",
    stop: "Alle E-Mails beenden",
    stopText:
      "Das beendet alle E-Mails zu Zahlungen an diese Adresse, von jedem Shop hier, und löscht sie bei diesen Zahlungen. Bestellungen, bei denen sie später angegeben wird, behalten sie verschlüsselt bis 30 Tage nach ihrem Ablauf oder ein Jahr nach dem Ende ihrer Zahlung.",
    tooMany: "Es wurden zu viele Adressen eingegeben. Versuchen Sie es morgen noch einmal.",
    badKeyTitle: "Dieser Link funktioniert nicht",
    badKeyText: "Öffnen Sie ihn noch einmal aus der E-Mail, und zwar ganz.",
  },

  emails: {
    confirmation: ({ shop, consent, erasedFrom }) => ({
      subject: "Bestätigen Sie Ihre E-Mail-Adresse",
      text: `Bei einer Zahlung an den Shop ${shop} wurde diese E-Mail-Adresse angegeben. Bestätigen Sie sie auf dieser Seite, um Ihren Beleg zu erhalten und eine Nachricht, wenn die Bestellung versandt wurde, bevor Ihr Schutz endet, und bei Erstattungen und Streitfällen:

${consent}

Bis Sie bestätigen, kommt keine weitere E-Mail. Kennen Sie die Zahlung nicht, ignorieren Sie diese, oder drücken Sie auf der Seite „Alle E-Mails beenden“: Dann kommt keine mehr.

Ihre Adresse wird nur für diese E-Mails aufbewahrt und ein Jahr nach dem Ende der Zahlung gelöscht, frühestens am ${erasedFrom}.
`,
    }),
    paid: ({ shop }, { amount, until, canObject, isLate, receipt }) => ({
      subject: "Sie haben bezahlt: Ihr Beleg",
      text: `Sie haben ${amount} an den Shop ${shop} bezahlt.${
        isLate ? " Die Zahlung kam verspätet: Fragen Sie den Shop, ob er noch liefert." : ""
      }${canObject ? ` Sie können beanstanden bis ${until}; so lange hat der Shop das Geld nicht.` : ""}

Bewahren Sie Ihren Beleg auf${canObject ? ". Mit Ihrer Wallet eröffnen Sie dort einen Streitfall" : ""}:
${receipt}`,
    }),
    sent: ({ shop }, { until, canObject, receipt }) => ({
      subject: "Ihre Bestellung wurde versandt",
      text: `Der Shop ${shop} meldet, dass Ihre Bestellung versandt wurde. Was er dazu eingetragen hat, steht auf Ihrem Beleg:
${receipt}${canObject ? `\n\nSie können beanstanden bis ${until}.` : ""}`,
    }),
    deadline: ({ shop }, { rest, until, receipt }) => ({
      subject: "Ihr Schutz endet bald",
      text: `Ende Ihres Schutzes: ${until}. Danach erhält der Shop ${shop} ${rest}.

Ist alles in Ordnung, müssen Sie nichts tun. Stimmt etwas nicht, eröffnen Sie vorher einen Streitfall:
${receipt}`,
    }),
    refunded: ({ shop }, { amount, refunded, receipt }) => ({
      subject: "Sie haben eine Erstattung erhalten",
      text: `An Ihre Wallet gingen ${refunded} von den ${amount} zurück, die Sie an den Shop ${shop} bezahlt haben.

${receipt}`,
    }),
    footer: ({ shop, line, consent, erasedFrom }) =>
      `${line === null ? "" : `Der Shop schreibt: ${line}\n\n`}Sie erhalten diese E-Mail, weil Sie Ihre Adresse für Nachrichten zu Zahlungen bestätigt haben. Bei dieser ging es um eine Zahlung an den Shop ${shop}. Hier beenden Sie diese E-Mails. Entfernen Sie den Link, bevor Sie antworten oder die E-Mail weiterleiten: Wer ihn hat, kann sie auch beenden.
${consent}
Ihre Adresse wird nur dafür aufbewahrt und ein Jahr nach dem Ende der Zahlung gelöscht, frühestens am ${erasedFrom}.
`,
  },

  disputeEmails: {
    subjects: {
      opened: "Ein Streitfall wurde eröffnet",
      offer: "Der Shop hat in einem Streitfall ein Angebot gemacht",
      turn: "Sie sind in einem Streitfall am Zug",
      due_soon: "Ihre Frist in einem Streitfall endet bald",
      closed: "Ein Streitfall wurde entschieden oder geschlossen",
    },
    sentences: {
      opened: "Ein Streitfall wurde eröffnet.",
      offer: "Der Shop hat ein Angebot gemacht.",
      turn: "Sie sind am Zug bis {time}.",
      due_soon: "Ende Ihrer Frist: {time}.",
      closed: "Der Streitfall wurde entschieden oder geschlossen.",
    },
    remove: "Dort können Sie Ihre Adresse entfernen.",
    confirm: "Bestätigen Sie Ihre E-Mail-Adresse",
    confirmText: (link) =>
      `Öffnen Sie diesen Link innerhalb eines Tages, um E-Mails über den Streitfall zu einer Zahlung zu erhalten:\n\n${link}\n\nHaben Sie Ihre Adresse dort nicht eingegeben, können Sie diese E-Mail ignorieren.\n`,
  },

  refusals: {
    notFromPage: "Das ist nur auf der Bezahlseite selbst möglich.",
    tooMany: "Zu viele Anfragen. Bitte warten Sie eine Minute.",
    networkAway: "Das Netzwerk ist nicht erreichbar. Bitte versuchen Sie es gleich erneut.",
    unavailable: "Der Dienst ist gerade nicht erreichbar. Bitte versuchen Sie es erneut.",
    failed: "Der Dienst hatte einen Fehler. Mit dieser Anfrage wurde nichts bezahlt.",
    sentBefore: "Sie haben das schon gesendet, und es ist angekommen.",
    mayHaveArrived: "Das Gesendete ist vielleicht angekommen. Laden Sie die Seite neu.",
    tooLarge: "Die Anfrage ist zu groß.",
    notJsonType: "Senden Sie die Anfrage als JSON in UTF-8.",
    notJson: "Die Anfrage ist kein gültiges JSON oder kein gültiges HTTP.",
    noPayment: "Unter dieser Adresse gibt es keine Zahlung.",
    noAction: "Diesen Vorgang gibt es für eine Zahlung nicht.",
    noQuery: "Senden Sie eine Suche oder das Konto einer Wallet.",
    notFindable: "Das ist weder eine Signatur noch eine Adresse noch eine Bestellung.",
    noTerms: "Bedingungen mit diesem Fingerabdruck wurden hier nicht gezeigt.",
    notAWallet: "Das ist nicht die Adresse einer Wallet.",
    notAnAmount: "Das ist kein Betrag in der kleinsten Einheit des Tokens.",
    refundNeedsAmount: "Eine Erstattung braucht einen Betrag. Öffnen Sie die Zahlung.",
    notASignature: "Das ist nicht die Signatur einer Transaktion.",
    notATransaction: "Das ist keine Transaktion.",
    notSigned: "Das ist keine vollständig unterschriebene Transaktion.",
    notSignedFor: "Das ist keine vollständig unterschriebene Transaktion dieser Zahlung.",
    notThisPayment: "Diese Transaktion führt nicht zur Zahlung dieser Seite.",
    tooLate: "Es dauerte zu lange; nichts wurde gesendet. Versuchen Sie es noch einmal.",
    otherWallet: "Das muss eine andere Wallet unterschreiben.",
    solForFee: (wallet, sol) => `${wallet} braucht noch ${sol} für die Netzwerkgebühr.`,
    solForDeposits: (wallet, sol) => `${wallet} braucht noch ${sol} für Gebühr und Pfand.`,
    theWallet: "Die Wallet",
    wouldFail: "Das Netzwerk würde das jetzt ablehnen. Es wurde nichts geändert.",
    notSponsored: "Die Gebühr wird gerade nicht übernommen. Erneut versuchen oder SOL aufladen.",
    alreadyPaid: "Diese Wallet hat schon bezahlt. Die Zahlung wird bestätigt.",
    paymentWouldFail: "Das Netzwerk würde das jetzt ablehnen. Es wurde nichts bezahlt.",
    offerExpired: "Es dauerte zu lange. Nichts wurde bezahlt. Versuchen Sie es noch einmal.",
    arbiterChanged: "Der Arbiter hat gewechselt; nichts wurde bezahlt. Prüfen Sie, wer es ist.",
    accountFrozen: "Der Token-Herausgeber hat dieses Konto eingefroren. Es kann nicht zahlen.",
    isRecipient: "Diese Wallet ist der Empfänger. Bezahlen Sie mit einer anderen.",
    isProgram: "Dieses Konto gehört einem Programm und kann nicht selbst bezahlen.",
    tokenShort: (wallet, has, needed) => `${wallet} hat ${has}; nötig: ${needed}.`,
    tokenLacks: (wallet, missing) => `${wallet} fehlen ${missing}.`,
    notPayable: {
      paid: "Das ist schon bezahlt. Es ist nichts weiter nötig.",
      expired: "Die Zahlungsfrist ist abgelaufen. Bitten Sie um einen neuen Link.",
      canceled: "Der Shop hat diese Zahlung storniert. Bitte bezahlen Sie nicht.",
    },
    held: "Zahlungen ruhen, bis eine Änderung geprüft ist. Versuchen Sie es später.",
    notAccepted: "Der Shop kann diese Zahlung nicht annehmen. Nichts wurde bezahlt.",
    notScreened: "Prüfung gerade nicht möglich. Nichts wurde bezahlt. Erneut versuchen.",
    noSeat: {
      full: "Alle Plätze sind vergeben. Unbezahlte können in Minuten frei werden.",
      has_paid: "Diese Wallet hat über diesen Link schon bezahlt. Nehmen Sie eine andere.",
      closed: "Der Shop hat diesen Link geschlossen. Bitte bezahlen Sie nicht.",
    },
    obstacles: {
      payment_closed: "Diese Zahlung endete vor langer Zeit; ihr Eintrag ist geschlossen.",
      already_paid_out: "Alles ist schon ausgezahlt. Es bleibt nichts zu tun.",
      already_decided: "Es ist schon entschieden, wer das Geld erhält.",
      already_disputed: "Ein Streitfall ist schon eröffnet.",
      not_disputed: "Zu dieser Zahlung ist kein Streitfall eröffnet.",
      protection_over: "Die Zeit für einen Streitfall ist abgelaufen.",
      protection_running: "Die Zeit für einen Streitfall ist noch nicht abgelaufen.",
      arbitration_over: "Seit dem Streitfall sind 90 Tage vorbei. Alles kann zurück an den Käufer.",
      arbitration_running: "Das geht 90 Tage nach der Eröffnung des Streitfalls.",
      nothing_due: "Jetzt kann nichts ausgezahlt werden.",
      invalid_total: "Der Betrag ist nicht mehr möglich. Laden Sie neu, und prüfen Sie ihn.",
      less_bound: "Die Erstattung des Shops fehlt. Laden Sie neu, und prüfen Sie den Betrag.",
      not_paid_out: "Ein Teil des Geldes ist noch nicht ausgezahlt.",
      retention_running: "Das Pfand kann 90 Tage nach der letzten Auszahlung zurück.",
      vault_open: "Das Token-Konto der Zahlung ist noch offen. Versuchen Sie es später.",
      vault_short: "Der Token-Herausgeber hat Token entnommen. Fragen Sie den Shop.",
      vault_frozen: "Der Token-Herausgeber hat das Geld dieser Zahlung eingefroren.",
      rent_risen: "Pfand kostet jetzt mehr. Nur die Wallet, die dieses zahlte, kann es holen.",
      rent_payer_short: "Die Wallet, die das Pfand erhält, hat zu wenig SOL.",
      destination_missing: "Die Empfänger-Wallet hat noch kein Konto für dieses Token.",
      destination_frozen: "Der Token-Herausgeber hat das Empfängerkonto eingefroren.",
    },
    dispute: {
      none: "Zu dieser Zahlung gibt es keinen Streitfall.",
      notOpen: "Zu dieser Zahlung ist noch kein Streitfall eröffnet.",
      prove: "Weisen Sie zuerst nach, dass diese Wallet bezahlt hat. Die Seite leitet Sie an.",
      proveAgain: "Beenden Sie unten den Zugang dieses Browsers. Weisen Sie dann die Wallet nach.",
      smartWallet: "Eine Smart-Wallet wird mit einem Memo auf der Blockchain nachgewiesen.",
      noWay: "Auf diesem Weg lässt sich eine Wallet nicht nachweisen.",
      accessEnded: "Dieser Zugang ist schon beendet.",
      reason: "Wählen Sie einen Grund.",
      text: "Schreiben Sie reinen Text mit höchstens 5.000 Zeichen.",
      sentence: "Schreiben Sie reinen Text mit höchstens 500 Zeichen.",
      characters: "Der Text enthält Zeichen, die nicht gespeichert werden können.",
      amount: "Geben Sie höchstens den Betrag ein, den Sie bezahlt haben.",
      offerUntil: "Ein Angebot gilt 1 Stunde bis 14 Tage, innerhalb der 90 Tage des Streitfalls.",
      email: "Geben Sie eine E-Mail-Adresse ein.",
      noEmails: "Dieser Dienst sendet keine E-Mails.",
      tooManyLinks: "Es wurden zu viele Links gesendet. Versuchen Sie es morgen noch einmal.",
      linkEnded: "Dieser Link gilt nicht mehr. Geben Sie Ihre Adresse noch einmal ein.",
    },
    proofs: {
      outdated: "Diese Anfrage gilt nicht mehr oder nicht in diesem Browser. Beginnen Sie neu.",
      wrong: "Unterschrieben wurde nicht genau, was jetzt gilt. Laden Sie neu, und prüfen Sie.",
      changed: "Was Sie unterschrieben haben, gilt nicht mehr. Laden Sie neu, und prüfen Sie es.",
      notLanded: "Das Netzwerk zeigt diese Transaktion noch nicht. Versuchen Sie es noch einmal.",
      noMemo: "Diese Transaktion hat kein Memo, das die Wallet dafür unterschrieben hat.",
    },
    disputeChanged: {
      paused: "Das Netzwerk hat den Streitfall zurückgenommen. Warten Sie, bis es ihn zeigt.",
      deciding: "Jetzt entscheidet der Arbiter.",
      agreed: "Sie haben sich schon geeinigt. Unterschreiben Sie, was noch fehlt.",
      decided: "Der Arbiter hat entschieden. Nichts kann mehr hinzukommen.",
      closed: "Dieser Streitfall ist geschlossen.",
      already_given: "Was nicht stimmt, haben Sie schon geschrieben. Schreiben Sie eine Antwort.",
      already_asked: "Sie haben die Entscheidung schon verlangt.",
      not_your_turn: "Der Arbiter entscheidet. Dem Shop antworten Sie einmal, binnen 48 Stunden.",
      limit_reached: "Mehr kann eine Seite in einem Streitfall nicht schreiben oder senden.",
      daily_limit_reached: "Für heute ist es genug. Sie können morgen wieder schreiben (UTC).",
      refund_exceeds: "Der Shop hat schon mehr als das zurückgegeben.",
      offer_not_open: "Dieses Angebot ist nicht mehr offen. Laden Sie die Seite neu.",
      agreement_failed: "Eine Einigung ist schon gescheitert. Jetzt entscheidet der Arbiter.",
    },
    files: {
      none: "Diese Datei gibt es in diesem Streitfall nicht.",
      name: "Geben Sie der Datei einen einfachen Namen mit höchstens 100 Zeichen.",
      size: "Eine Datei hat 1 Byte bis 5 Megabyte.",
      unread: "Die Datei konnte nicht gelesen werden. Wählen Sie sie noch einmal.",
      busy: "Zu viele Dateien sind unterwegs. Versuchen Sie es gleich noch einmal.",
      ended: "Der Upload ist beendet oder die Datei gesendet. Wählen Sie sie noch einmal.",
      changed: "Das sind nicht die angekündigten Bytes. Senden Sie die Datei noch einmal.",
      tooLong: "Die Datei ist länger als angekündigt. Wählen Sie sie noch einmal.",
      tooShort: "Die Datei ist kürzer als angekündigt. Wählen Sie sie noch einmal.",
      encoded: "Senden Sie die Datei ohne Content-Encoding.",
      late: "Die Datei kam nicht rechtzeitig an. Versuchen Sie es noch einmal.",
      broken: "Die Verbindung brach ab, während die Datei gesendet wurde.",
      failed: "Der Dienst hatte einen Fehler. Versuchen Sie es noch einmal.",
      content: {
        type: "Senden Sie ein Bild (PNG, JPEG, WebP), ein PDF oder reinen Text.",
        broken: "Das Bild ist defekt oder animiert. Sichern Sie es neu, oder senden Sie ein PDF.",
        pixels: "Dieses Bild hat mehr als 40 Megapixel. Senden Sie ein kleineres.",
      },
    },
    x402: {
      payload: "PAYMENT-SIGNATURE enthält keine x402-Daten des Schemas protected.",
      offerEnded: "Das Angebot ist abgelaufen.",
      pending: "Die Zahlung ist unterwegs. Senden Sie dieselbe Anfrage noch einmal.",
      paidBefore: "Schon bezahlt. Ihre Zahlung wartet; bitten Sie den Shop um Erstattung.",
    },
    receiptUnchecked: "Diese Zahlung wird geprüft. Bitte versuchen Sie es noch einmal.",
    receiptUnsigned: "Belege können hier gerade nicht signiert werden.",
    receiptUnknown: "Unter dieser Adresse ist hier keine Zahlung bekannt.",
  },
};
