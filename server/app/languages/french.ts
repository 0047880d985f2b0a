import type { LanguageTexts } from "../../features/checkout/languages/language.ts";

// Read by: nobody yet.
export const FRENCH: LanguageTexts = {
  tag: "fr",
  name: "Français",
  locale: "fr-FR",
  direction: "ltr",
  readBy: null,

  wallet: {
    connecting: "Demande de votre compte à {wallet}…",
    preparing: "Préparation de la transaction…",
    sending: "Envoi en cours…",
    left: "Il reste {seconds} secondes. Si votre portefeuille prend plus de temps, appuyez ensuite de nouveau.",
    sent: "Envoyé. Cette page l’affichera dès que le réseau l’aura reçu.",
    unknown:
      "Il n’est pas certain que l’envoi ait eu lieu. Il est peut-être en route : cette page vous le dira dès que ce ne sera plus possible.",
    too_late:
      "Votre portefeuille a mis trop de temps pour le réseau. {nothing}, et cela restera ainsi : appuyez de nouveau.",
    failed: "Le réseau a refusé. {nothing}.",
    rejected: "Vous avez refusé dans le portefeuille. {nothing}.",
    no_account:
      "Le portefeuille n’a indiqué aucun compte Solana. Déverrouillez-le et autorisez ce site à le voir. {nothing}.",
    wrong_network:
      "{wallet} est sur un autre réseau que ce paiement. Changez de réseau, puis appuyez de nouveau. {nothing}.",
    other_wallet:
      "Il faut le portefeuille {needed}. {wallet} a indiqué {given} : changez de compte, puis appuyez de nouveau.",
    wallet_failed: "Le portefeuille n’a pas pu terminer ({reason}). {nothing}.",
    unexpected_bytes:
      "Arrêté : ce que le portefeuille devait signer n’est pas ce que cette page affiche ({reason}). {nothing}.",
    no_answer: "Le réseau est injoignable pour le moment. {nothing} ; réessayez dans un instant.",
  },

  page: {
    languages: "Langue",
    to: (amount, business) => `${amount} à ${business}`,
    smallestUnits: "plus petites unités",
    tokens: "jetons",
    lessThanAMinute: "moins d’une minute",
    verified: "Domaine vérifié",
    unproven: "Cette boutique n’a prouvé aucun domaine. Vérifiez qu’il s’agit bien de celle que vous connaissez.",
    order: (number) => `Commande ${number}`,
    test: "Paiement de test",
    testHint: "Aucun argent réel ne circule.",

    pricedAt: (rate, unit) => `au cours ${rate}. Les remboursements se font en ${unit}.`,
    payWithin: "À payer dans les",
    pay: (amount) => `Payer ${amount}`,
    heldFor: (period) => `Dans un contrat intelligent pendant ${period}. La boutique n’est payée qu’ensuite.`,
    costLater: "Le coût du réseau s’affiche avant que vous signiez.",
    costAbout: (cost, back) =>
      `Plus environ ${cost} pour le réseau, dont ${back} reviennent d’eux-mêmes dans votre portefeuille.`,
    costUnlessSponsored: (cost, back) =>
      `Vous n’avez pas besoin de SOL : ce site peut payer le coût du réseau. Un portefeuille qui a du SOL paie environ ${cost}, dont ${back} reviennent d’eux-mêmes dans votre portefeuille.`,
    costWhy: "Pourquoi, et ce qui revient",
    otherWallet: "Autre portefeuille",
    otherWalletHint: "Choisir",
    phone: "Payer avec votre téléphone",
    phoneHint: "Code QR",
    phoneText:
      "Scannez-le avec l’appareil photo d’une application de portefeuille. La page que vous voyez ici se met à jour d’elle-même.",
    phoneNeedsHttps:
      "Une application de portefeuille n’accepte que le code d’une adresse https, et ce site n’en a pas. Payez plutôt dans ce navigateur.",
    openAppText:
      "Ouvrez cette page dans une application de portefeuille. Son navigateur affiche la même page, et vous pouvez y payer.",
    openIn: (wallet) => `Ouvrir dans ${wallet}`,
    solanaPay: "Payer avec une application de portefeuille",
    cannotPay:
      "En attente de votre paiement. Ce site ne peut pas encore le préparer dans le navigateur : demandez à la boutique comment payer.",
    noScript:
      "Payer avec un portefeuille dans ce navigateur nécessite JavaScript. Activez-le, ou ouvrez cette page dans une application de portefeuille.",
    or: "ou",
    payAnyway: "Vous n’avez rien envoyé ?",
    payAnywayHint: "Payer quand même",
    payAnywayText:
      "Ce qui a été envoyé arrive bientôt ou jamais, et cette page vous le dira. Ne payez que si vous savez que personne n’a payé pour vous : un second paiement devra être réclamé à la boutique.",

    protection: "Comment vous êtes protégé",
    payStep: "Vous payez. La boutique n’est pas encore payée.",
    payText: (amount) =>
      `${amount} vont dans un contrat intelligent sur Solana. Ni la boutique ni ce site ne peut y toucher.`,
    objectStep: (period) => `${period} pour contester`,
    objectText:
      "Rien n’est arrivé, ou pas ce que vous avez commandé ? Ouvrez un litige sur votre reçu dans ce délai ; il court à partir de votre paiement.",
    shopStep: "Puis la boutique est payée",
    shopText: "Si tout va bien, vous n’avez rien à faire. Vous pouvez aussi libérer l’argent plus tôt, sur votre reçu.",
    judge:
      "Les litiges sont tranchés par {arbiter}. L’argent ne peut aller qu’à vous, à la boutique, ou en partie à chacun, et nulle part ailleurs. Sans décision dans les 90 jours, vous êtes remboursé.",
    judgeIsShop:
      "Ici, celui qui décide est le compte même sur lequel la boutique est payée : elle trancherait ses propres litiges. Ne payez que si vous lui faites confiance.",
    judgeIsOwn: "La boutique tranche elle-même les litiges.",
    judgeUnknown: "le décideur que ce site indique au moment du paiement",
    rules: "Selon quelles règles ?",
    rulesText:
      "Le décideur lit ce que les deux parties écrivent et envoient, la politique de remboursement de la boutique et les conditions que votre paiement mentionne. Sur ce site, il motive sa décision. La boutique et vous pouvez vous mettre d’accord à tout moment avant.",
    reasonNames: {
      not_received: "Ce n’est pas arrivé",
      not_as_described: "Ce n’est pas conforme à la description",
      paid_twice: "J’ai payé deux fois",
      returned_or_canceled: "Je l’ai retourné ou annulé",
      other: "Autre chose",
    },
    rights: "Vos droits légaux restent entiers.",
    receipt: "Ouvrir votre reçu",
    objectUntil: "Vous pouvez contester jusqu’au",
    objectUntilText:
      "D’ici là, votre argent reste dans le contrat intelligent ; ni la boutique ni ce site ne peut y toucher. Si vous ne faites rien, la boutique sera alors payée.",
    keepReceipt: "Gardez le lien du reçu : c’est là que vous contestez, ou libérez l’argent.",

    details: "Détails",
    recipient: "Bénéficiaire",
    token: "Jeton",
    paymentId: "Numéro du paiement",
    intent: "Demande de paiement",
    payment: "Paiement",
    transaction: "Transaction",
    sender: "Payé par",
    arbiter: "Décideur",
    program: "Programme",
    operator: "Compte de l’opérateur",
    openUntil: "Payable jusqu’au",
    refundPolicy: "Politique de remboursement",
    contact: "Contacter la boutique",
    backTo: "Retour à {business}",
    leadsTo: (host) =>
      `Le bouton ci-dessous mène à ${host} ; la boutique n’a pas prouvé que cette adresse est la sienne.`,
    protectedBy: "Protégé par Holdfast",
    runBy: "Ce site est exploité par {operator}",
    irreversible: "Le réseau ne peut pas revenir dessus.",
    getEmails: "Recevoir des e-mails sur ce paiement",

    states: {
      held: {
        title: "Les paiements sont suspendus",
        text: "Ce site doit d’abord confirmer un changement sur le réseau. Rien ne vous a été prélevé. Réessayez plus tard, ou adressez-vous à la boutique.",
      },
      in_flight: {
        title: "En route",
        text: "Un paiement a été envoyé et attend le réseau. Ne payez pas de nouveau ; cette page se met à jour d’elle-même.",
      },
      protected: { title: "Payé et protégé", text: "La boutique voit votre paiement." },
      settling: {
        title: "Payé",
        text: "Le délai pour contester est écoulé. L’argent va bientôt être versé à la boutique.",
      },
      disputed: {
        title: "En litige",
        text: "Le litige décide qui reçoit ce qui est dans le contrat intelligent. Votre reçu mène à la page du litige, qui indique à qui c’est le tour et jusqu’à quand.",
      },
      decided: {
        title: "Décidé",
        text: "Il est décidé qui reçoit quoi. L’argent va bientôt quitter le contrat intelligent.",
      },
      settled: { title: "Payé et terminé", text: "L’argent a été versé à la boutique." },
      partly_refunded: {
        title: "Payé, et remboursé en partie",
        text: "L’argent a été partagé entre vous et la boutique.",
      },
      refunded: { title: "Remboursé", text: "Tout l’argent est revenu au portefeuille qui a payé." },
      expired: {
        title: "Le délai de paiement est écoulé",
        text: "Ne payez plus. Demandez un nouveau lien à la boutique. Si vous avez déjà payé, cette page l’affichera.",
      },
      canceled: {
        title: "Annulé par la boutique",
        text: "Ne payez pas. Si vous avez déjà payé, cette page l’affichera, et vous pourrez réclamer votre argent à la boutique.",
      },
    },
    reportedOver:
      "Quelqu’un a signalé un paiement que le réseau ne connaît pas, ou ne peut pas accepter. Si vous venez de payer vous-même, attendez que cette page ne le dise plus avant de demander un nouveau lien.",
    late: {
      paid_after_expiry:
        "Le paiement est arrivé en retard : après le délai de paiement. La boutique pourrait ne pas livrer.",
      paid_after_cancel:
        "Le paiement est arrivé en retard : après l’annulation par la boutique. La boutique pourrait ne pas livrer.",
      found_after_cancel:
        "Vous avez payé à temps, mais le réseau ne l’a montré qu’après l’annulation par la boutique. La boutique pourrait ne pas livrer.",
    },
    overLimit:
      "Le paiement a eu lieu alors que toutes les places étaient prises. La boutique pourrait ne pas livrer, et peut renvoyer l’argent : demandez-le-lui, ou ouvrez un litige à temps.",
    mismatch:
      "Un paiement est arrivé qui mentionne cette commande mais pas ses conditions, comme le montant. Il ne règle pas la commande. Si vous l’avez envoyé, son reçu dit où se trouve l’argent et qui peut le renvoyer : regardez-y avant de payer de nouveau.",
    findPayment: "Trouver ce paiement",
    duplicateTitle: (count) => (count === 1 ? "Payé deux fois" : `Payé ${count + 1} fois`),
    duplicateText: "Quelqu’un a de nouveau payé cette commande. Chaque reçu dit comment cet argent est renvoyé.",
    duplicate: "{amount} par {wallet}",
    partRefund: (amount) => `${amount} vous reviennent.`,
    partRefunded: (amount) => `${amount} vous sont revenus.`,

    notFoundTitle: "Introuvable",
    notFoundText:
      "Il n’y a pas de paiement à cette adresse. Vérifiez le lien, ou demandez-en un nouveau à la boutique.",
    unavailableTitle: "Un instant",
    unavailableText:
      "Le service ne peut pas répondre pour le moment. Rien ne vous a été prélevé. Rechargez cette page dans un petit moment.",
    tooManyText:
      "Trop de requêtes sont venues de votre réseau. Rien ne vous a été prélevé. Attendez une minute, puis rechargez cette page.",
    reload: "Recharger",
    ended: {
      title: "Cette page n’est plus à jour",
      text: "Le service n’affiche plus ce qui figurait ici. Rechargez la page pour voir ce qui vaut maintenant.",
      open: "Recharger",
    },
    walletText: (amount, business, period) => `${amount} à ${business}, protégé ${period}`,

    script: {
      nothing: "Rien n’a été payé",
      confirmIn: "Confirmez dans {wallet} : {amount}, et {cost} SOL pour le réseau.",
      confirmFree: "Confirmez dans {wallet} : {amount}. Vous n’avez pas besoin de SOL.",
      cost: "Plus {cost} SOL{worth} pour le réseau, dont {back} SOL reviennent d’eux-mêmes dans votre portefeuille.",
      costWorth: " (environ {value})",
      costMore:
        "SOL est la monnaie du réseau lui-même : elle en paie les frais et les dépôts. {back} SOL reviennent à la fin du paiement, et {later} SOL de plus si son enregistrement sur la blockchain est fermé, ce que chacun peut faire à partir de 90 jours après la fin du paiement. Le reste ne revient pas. Les sommes exactes s’affichent avant que vous signiez.",
      sponsored: "Pas besoin de SOL : le coût du réseau est payé pour vous.",
      payWith: "Payer avec {wallet}",
      noOther: "Aucun autre portefeuille n’a été trouvé dans ce navigateur. Installez-en un, et il apparaîtra ici.",
      noWallet: "Aucun portefeuille dans ce navigateur",
      noWalletHint: "Installez un portefeuille Solana, ou payez avec votre téléphone.",
      walletElsewhere: "{wallet} est sur un autre réseau",
      walletElsewhereHint: "Changez son réseau et rechargez cette page, ou payez autrement.",
      arbiterChanged:
        "Le décideur a changé ou n’était pas connu. Lisez qui tranche les litiges à présent, puis appuyez de nouveau pour payer.",
      otherTab:
        "Un autre onglet paie cette commande en ce moment. Terminez là-bas, ou continuez ici si vous l’avez fermé.",
      lost: "La connexion est coupée. Votre paiement n’est pas perdu : cette page redemande d’elle-même.",
      leftInDoubt: "Le réseau peut encore l’accepter pendant {seconds} secondes.",
      notArrived:
        "Le réseau n’a pas reçu le paiement à temps ; rien n’a été payé et rien ne le sera. Vous pouvez payer de nouveau.",
      payAgain: "Payer de nouveau avec {wallet}",
      sent: "Envoyé. Cette page suit le paiement d’elle-même ; ne payez pas de nouveau.",
      unknown:
        "Il n’est pas certain que le paiement ait été envoyé. Attendez que cette page le sache ; ne payez pas de nouveau avant.",
      reported:
        "Quelqu’un a signalé un paiement que le réseau ne connaît pas, ou ne peut pas accepter. Vous pouvez payer. Si vous venez de payer vous-même, attendez que cette page ne le dise plus.",
      mayBePaid:
        "Un paiement est peut-être déjà en route. S’il arrive, un second devra être réclamé à la boutique. N’appuyez de nouveau que si vous êtes sûr que rien n’a été envoyé.",
      payAnyway: "Payer quand même avec {wallet}",
      notSent: "Vous n’avez rien envoyé ? Payer quand même avec {wallet}",
      earlierTry: "Un paiement précédent est peut-être encore en route.",
      lessThanAMinute: "moins d’une minute",
      demo: "Portefeuille de démonstration",
      demoHint: "Argent fictif de la blockchain locale",
    },
  },

  link: {
    amount: "Montant",
    amountInvalid: (decimals) =>
      `Entrez un montant supérieur à 0, par exemple 25, avec au plus ${decimals} décimales après la virgule.`,
    continue: (amount) => `Payer ${amount}`,
    continueOpen: "Continuer",
    next: "Rien n’est encore payé. La page suivante montre ce que vous payez, et interroge votre portefeuille.",
    left: (left, all) => `Places restantes : ${left} sur ${all}. L’une est à vous dès que vous avez signé.`,
    held: "Toutes les places sont prises en ce moment. Certaines ne sont pas encore payées : l’une peut se libérer dans les minutes qui viennent.",
    until: "Payable jusqu’au {time}",
    protection: (period) =>
      `Votre argent reste dans un contrat intelligent pendant ${period}, au cours desquels vous pouvez ouvrir un litige. Ensuite, la boutique est payée.`,
    states: {
      full: {
        title: "Toutes les places sont prises",
        text: "Ne payez plus. Demandez à la boutique s’il y en aura d’autres.",
      },
      expired: {
        title: "Le délai de paiement est écoulé",
        text: "Ne payez plus. Demandez un nouveau lien à la boutique.",
      },
      closed: {
        title: "La boutique a fermé ce lien",
        text: "Ne payez pas. Demandez un nouveau lien à la boutique.",
      },
    },
    priced: (unit) =>
      `Vous payez en ${unit}. La page suivante montre combien cela fait au cours du moment, et jusqu’à quand il vaut. Les remboursements se font en ${unit}.`,
    unpriced:
      "Le prix ne peut pas être converti en jetons pour le moment : vous ne pouvez pas encore payer. Rien ne vous a été prélevé. Réessayez bientôt.",
    refused:
      "La boutique ne peut pas être payée par ce lien pour le moment. Rien ne vous a été prélevé. Adressez-vous à la boutique.",
    tooManyToday:
      "Trop de commandes ont été commencées aujourd’hui par ce lien depuis votre réseau. Rien ne vous a été prélevé. Revenez demain, ou adressez-vous à la boutique.",
    notFoundText:
      "Il n’y a pas de lien de paiement à cette adresse. Vérifiez-la, ou demandez-en un nouveau à la boutique.",
  },

  receipt: {
    title: (amount, shop) => `Reçu : ${amount} à ${shop}`,
    toNobody: (amount) => `Reçu : ${amount}`,
    unknownShop: "Ce reçu ne nomme aucune boutique",
    keyless: "Est-ce votre paiement ?",
    unlock: "Afficher la commande et comment joindre la boutique, avec le portefeuille qui a payé",
    provenThen: "Domaine vérifié au moment de votre paiement",
    unprovenThen: "Aucun domaine vérifié au moment de votre paiement",
    paidAt: "payé le {time}",
    panel: "État du paiement",
    theShop: "la boutique",
    states: {
      protected: {
        title: "Payé et protégé",
        text: (inEscrow) => `La boutique n’est pas encore payée. ${inEscrow} sont dans le contrat intelligent.`,
      },
      settling: {
        title: "Le délai pour ouvrir un litige est écoulé",
        text: () => "Personne n’a contesté ; l’argent va bientôt être versé à la boutique.",
      },
      disputed: {
        title: "En litige : votre argent est bloqué",
        text: (inEscrow) =>
          `${inEscrow} restent dans le contrat intelligent. Aucune des deux parties ne peut les prendre seule.`,
      },
      lapsed: {
        title: "Votre argent vous revient",
        text: () => "Le litige n’a pas été tranché dans les 90 jours.",
      },
      decided: {
        title: "Il est décidé qui reçoit l’argent",
        text: () => "L’argent va bientôt quitter le contrat intelligent.",
      },
      settled: {
        title: "La boutique a été payée",
        text: () => "Il ne reste rien de ce paiement dans le contrat intelligent.",
      },
      partly_refunded: {
        title: "L’argent a été partagé",
        text: () => "Il ne reste rien de ce paiement dans le contrat intelligent.",
      },
      refunded: {
        title: "Vous avez récupéré votre argent",
        text: () => "Tout est revenu au portefeuille qui a payé.",
      },
      vanished: {
        title: "Ce paiement a disparu",
        text: () =>
          "Le réseau a abandonné sa transaction avant qu’elle soit définitive. L’argent est là où il était, dans le portefeuille qui a payé. Si le paiement arrive de nouveau, cette page l’affichera.",
      },
    },
    toBuyerTitle: (amount) => `${amount} vous reviennent`,
    toShopTitle: "L’argent va à la boutique",
    partSentTitle: (amount) => `La boutique a renvoyé ${amount}`,
    partSent: "Cette somme est revenue au portefeuille qui a payé. Vous pouvez encore ouvrir un litige pour le reste.",
    partDueTitle: (amount) => `La boutique renvoie ${amount}`,
    partDue:
      "Cette somme va bientôt quitter le contrat intelligent. Vous pouvez encore ouvrir un litige pour le reste.",
    unmatchedTitle: "Ce paiement ne correspond à aucune commande",
    duplicateTitle: "Cette commande a été payée deux fois",
    lateTitle: "Payé en retard, et protégé",
    facts: {
      primary: null,
      duplicate: "Un autre paiement de la même commande est arrivé avant ; celui-ci est de trop.",
      unknown_payment_id:
        "Ce site ne connaît aucune commande portant le numéro de ce paiement. Le contrat intelligent le protège malgré tout.",
      terms_differ:
        "Il mentionne une commande de ce site, mais pas ses conditions, comme le montant. Il ne règle pas la commande.",
      closed: "Son enregistrement sur la blockchain a été fermé avant que ce site le lise. Seule sa fin est connue.",
      vanished: null,
      overLimit:
        "Le paiement a eu lieu alors que toutes les places étaient prises ; la boutique pourrait ne pas livrer.",
    },
    late: {
      paid_after_expiry: "Il est arrivé en retard : après le délai de paiement. La boutique pourrait ne pas livrer.",
      paid_after_cancel:
        "Il est arrivé en retard : après l’annulation par la boutique. La boutique pourrait ne pas livrer.",
      found_after_cancel:
        "Vous avez payé à temps, mais le réseau ne l’a montré qu’après l’annulation par la boutique. La boutique pourrait ne pas livrer.",
    },
    askBack:
      "Demandez à la boutique de le renvoyer. Si elle ne le fait pas, ouvrez un litige à temps : l’argent reste alors dans le contrat intelligent jusqu’à la décision.",
    askLate: "Adressez-vous à elle avant la fin du délai pour ouvrir un litige.",
    clocks: {
      protected: "La boutique est payée dans",
      disputed: "Se termine au plus tard dans",
      agreed: "Temps pour exécuter l’accord",
    },
    began: { protected: "Payé le {time}", disputed: "Litige ouvert le {time}", agreed: "Accord trouvé le {time}" },
    ends: "Jusqu’au {time}",
    silence: {
      protected: "Si vous ne faites rien, la boutique sera alors payée.",
      settling: "L’argent part en général de lui-même en quelques minutes. Sinon, chacun peut l’envoyer.",
      disputed: "Sans décision d’ici là, ce qui est dans le contrat intelligent vous revient.",
      agreed: "Si la blockchain ne montre pas l’accord d’ici là, il échoue, et le décideur tranche.",
      agreedLast:
        "Si la blockchain ne montre pas l’accord d’ici là, ce qui est dans le contrat intelligent vous revient.",
      lapsed: "L’argent part en général de lui-même en quelques minutes. Sinon, chacun peut l’envoyer.",
      decided: "L’argent part en général de lui-même en quelques minutes. Sinon, chacun peut l’envoyer.",
    },
    nobodyWrites: "Vous ne recevrez aucun e-mail avant.",
    calendar: "Ajouter cette date à votre agenda",
    calendarTitles: {
      protected: (what) => `Dernier moment pour ouvrir un litige : ${what}`,
      disputed: (what) => `Sans décision, ce qui est dans le contrat intelligent vous revient maintenant : ${what}`,
      agreed: (what) => `Le temps pour exécuter votre accord prend fin : ${what}`,
    },
    heldSilence: "D’ici là, l’argent reste dans le contrat intelligent.",
    heldStep: "Dès qu’il pourra partir.",
    held: {
      recipient: {
        memo_required:
          "L’argent ne peut pas partir : le compte de jetons de la boutique exige un mémo à chaque virement. La boutique doit désactiver cela ; l’argent part ensuite de lui-même, ou chacun l’envoie.",
        account_frozen:
          "L’argent ne peut pas partir : l’émetteur du jeton a gelé le compte de jetons de la boutique. Lui seul peut le lever ; l’argent part ensuite de lui-même.",
        account_missing:
          "L’argent ne peut pas partir : le portefeuille de la boutique n’a pas de compte pour ce jeton. La boutique, ou n’importe qui, peut en ouvrir un ; l’argent part ensuite de lui-même, ou chacun l’envoie.",
        other:
          "L’argent ne peut pas partir : le réseau refuse le virement à la boutique. L’exploitant de ce site en connaît la raison.",
      },
      sender: {
        memo_required:
          "L’argent ne peut pas partir : le compte de jetons de votre portefeuille exige un mémo à chaque virement. Désactivez cela dans votre portefeuille ; l’argent part ensuite de lui-même, ou envoyez-le ici.",
        account_frozen:
          "L’argent ne peut pas partir : l’émetteur du jeton a gelé le compte de jetons de votre portefeuille. Lui seul peut le lever ; l’argent part ensuite de lui-même.",
        account_missing:
          "L’argent ne peut pas partir : votre portefeuille n’a plus de compte pour ce jeton. Ouvrez-en un en recevant un peu de ce jeton ; l’argent part ensuite de lui-même, ou envoyez-le ici.",
        other:
          "L’argent ne peut pas partir : le réseau refuse le virement à votre portefeuille. Demandez à la boutique de joindre l’exploitant de ce site.",
      },
    },
    stillPossible: {
      settling:
        "Vous ne pouvez plus ouvrir de litige. Tant que l’argent n’est pas parti, la boutique peut encore le renvoyer : adressez-vous à elle maintenant si quelque chose ne va pas.",
      settled:
        "Si quelque chose ne va pas maintenant, adressez-vous à la boutique. Elle peut vous rembourser, mais plus par ce contrat intelligent.",
      partly_refunded:
        "Si quelque chose ne va pas maintenant, adressez-vous à la boutique. Elle peut vous rembourser, mais plus par ce contrat intelligent.",
    },
    money: "Où est l’argent",
    toYou: "vous sont revenus",
    onTheWayToYou: "en route vers vous",
    inEscrow: "dans le contrat intelligent",
    onTheWayToShop: "en route vers la boutique",
    toShop: "versés à la boutique",
    somethingWrong: "Quelque chose ne va pas",
    somethingWrongText:
      "Dites ce qui ne va pas. Dès que votre portefeuille a signé, l’argent est bloqué et un litige est ouvert.",
    unsent: "Ce que vous avez écrit sur votre litige n’est que sur cet appareil, et personne ne l’a lu.",
    sendIt: "L’envoyer",
    sendBy: "Envoyez-le avant le {time} : ensuite le décideur tranche, et vous ne pourrez peut-être plus écrire.",
    openCase: "Aller à votre litige",
    openCaseText: "Voyez ce qui a été dit, à qui c’est le tour et ce que vous pouvez faire.",
    ways: {
      release: ["Libérer l’argent maintenant", "La boutique est payée aussitôt. C’est irréversible."],
      settle: ["Payer la boutique maintenant", "Chacun peut hâter cela, pour les frais du réseau."],
      refund_unresolved: [
        "Récupérer votre argent maintenant",
        "Envoie ce qui est dans le contrat intelligent au portefeuille qui a payé, pour les frais du réseau.",
      ],
      pay_out_sender: ["Recevoir votre part maintenant", "Chacun peut hâter cela, pour les frais du réseau."],
      pay_out_recipient: ["Envoyer sa part à la boutique", "Chacun peut hâter cela, pour les frais du réseau."],
      close: [
        "Récupérer votre dépôt",
        "Ferme l’enregistrement du paiement sur la blockchain. Le dépôt du réseau va à votre portefeuille.",
      ],
    },
    releaseInDispute:
      "Met fin à votre litige, et la boutique est payée. Aucune boutique n’en a besoin pour vous renvoyer l’argent.",
    releaseIfAgreed:
      "Vous êtes-vous mis d’accord tous les deux ? Alors ne libérez que sur la page de votre litige, quand elle le dit.",
    hints: {
      protected: (wallet) =>
        `Tout va bien ? Alors vous n’avez rien à faire. Les deux boutons nécessitent le portefeuille qui a payé, ${wallet}.`,
      needed: (wallet) => `Les deux boutons nécessitent le portefeuille qui a payé, ${wallet}.`,
      disputed: (wallet) =>
        `La boutique peut renvoyer l’argent à tout moment. Seul le portefeuille qui a payé, ${wallet}, peut le libérer.`,
      anybody: "N’importe quel portefeuille peut le faire, et l’argent va à qui il est dû.",
      deposit: (wallet) => `Le dépôt va au portefeuille qui l’a payé, ${wallet}.`,
    },
    needsScript:
      "Ce que l’on peut faire ici nécessite JavaScript : activez-le, ou ouvrez cette page dans l’application du portefeuille qui a payé.",
    next: "La suite",
    happened: "Ce qui s’est passé",
    paid: "Vous avez payé",
    paidText: (amount) =>
      `${amount} sont allés dans un contrat intelligent sur Solana. Ni la boutique ni ce site ne peut y toucher.`,
    partBack: "La boutique a renvoyé une partie",
    partBackText: (amount) => `${amount} sont à vous, quoi qu’il advienne du reste.`,
    objectUntil: "Vous pouvez ouvrir un litige jusqu’au",
    objectText:
      "Rien n’est arrivé, ou pas ce que vous avez commandé ? Dites-le ici avant. Ensuite, vous ne pourrez plus que vous adresser à la boutique.",
    thenPaid: (shop) => `Puis est payé : ${shop}`,
    thenPaidText: "Cela se fait automatiquement.",
    undisputed: "Le délai pour ouvrir un litige est écoulé",
    undisputedText: "Personne n’en a ouvert.",
    goesToShop: (amount, shop) => `${amount} vont à ${shop}`,
    goesBack: (amount) => `${amount} vous reviennent`,
    goesText: "En général automatiquement, en quelques minutes.",
    disputed: "Vous avez ouvert un litige",
    agreed: "Vous êtes tombés d’accord",
    agreedText: "La page de votre litige dit à qui c’est le tour.",
    agreedParts: (buyer, shop) => `Vous recevez ${buyer}, et la boutique reçoit ${shop}.`,
    agreedNext: {
      shop: "À la boutique : elle rembourse votre part.",
      you: "À vous : libérez la part de la boutique sur la page de votre litige.",
    },
    agreementFailed: "L’accord a échoué",
    agreementFailedText: "La blockchain ne l’a pas montré à temps.",
    arbiterDecides: "Le décideur tranche",
    arbiterDecidesElse: "En cas d’échec, le décideur tranche",
    arbiterDecidesUnless: "Sans accord exécuté entre vous, le décideur tranche",
    arbiterDecidesText:
      "L’argent peut aller à vous, à la boutique, ou en partie à chacun, et nulle part ailleurs. Personne ne peut revenir sur la décision.",
    lapses: "Sans décision d’ici là, ce qui est dans le contrat intelligent vous revient",
    lapsed: "Aucune décision à temps",
    lapsedText: "Tout l’argent est donc de nouveau à vous.",
    outcomes: {
      released_by_sender: "Vous avez libéré l’argent",
      settled: "Le délai pour ouvrir un litige est écoulé",
      resolved: "Le décideur a tranché",
      refunded_by_recipient: "La boutique l’a rendu",
      refunded_unresolved: "Aucune décision à temps",
    },
    outcomeTexts: {
      released_by_sender: "Le portefeuille qui a payé l’a signé.",
      settled: "Personne n’en a ouvert.",
      resolved: "Personne ne peut revenir sur la décision.",
      refunded_by_recipient: "La boutique l’a signé.",
      refunded_unresolved: "Tout l’argent est donc de nouveau à vous.",
    },
    asAgreed: "Comme convenu entre vous.",
    wentToShop: (amount, shop) => `${amount} sont allés à ${shop}`,
    wentBack: (amount) => `${amount} vous sont revenus`,
    vanishedStep: "Le réseau a abandonné le paiement",
    vanishedText: "Finalement, aucun argent n’a circulé.",
    decision: {
      title: "La décision",
      agreed: "Décidé comme les deux parties en étaient convenues.",
      elsewhere: "Décidé hors de ce service, sans motifs.",
      memos: {
        unknown: "Le mémo du décideur ne mentionne aucun dossier de ce service.",
        none: "La décision n’a pas de mémo.",
        other_signer: "La décision a un mémo que le décideur n’a pas signé.",
        several: "Le décideur a signé plus d’un mémo ; aucun ne compte donc.",
      },
      arbiter: "Décideur",
      time: "Décidé le",
      transaction: "Transaction",
      hash: "Empreinte dans son mémo",
    },
    decidedToYou: "pour vous",
    decidedToShop: "pour la boutique",
    decidedMore: (amount) => `La boutique a rendu davantage : ${amount} sont à vous en tout.`,
    decidedWithReasons: "Les motifs ne s’affichent qu’avec le lien complet de ce reçu.",
    reasonsErased: "Les motifs ont été effacés le {time}.",
    readCase: "Lire le litige",
    judgeIsShop:
      "Ici, celui qui décide est le compte même sur lequel la boutique est payée : elle tranche ses propres litiges.",
    details: "Détails",
    paidBy: "Payé par",
    paidTo: "Payé à",
    payment: "Paiement",
    transaction: "Transaction",
    arbiter: "Décideur",
    token: "Jeton",
    terms: "Conditions",
    termsLink: "Les conditions telles que ce site les a affichées avant le paiement.",
    termsMatch: "Leur empreinte sur la blockchain correspond.",
    termsDiffer: "Leur empreinte sur la blockchain correspond, mais le paiement a d’autres conditions que le texte.",
    termsUnknown: "Le paiement mentionne un texte que ce site n’a pas.",
    termsNone: "Le paiement ne mentionne aucun texte.",
    program: "Programme",
    operator: "Compte de l’opérateur",
    printed: "Adresse de ce reçu",
    printedAt: "État au",
    checked: "Vérifié",
    checkedAt: (slot) => `sur la blockchain, au slot ${slot}`,
    reference: "Commande",
    order: "Page de la commande",
    openOrder: "Ouvrir la page de paiement de cette commande",
    contact: "Contact",
    noContact: "La boutique n’a indiqué aucun contact ici. Sa confirmation de commande en contient peut-être un.",
    delivery: "Livraison",
    trackAt: "Suivre la livraison sur {host}",
    sentAt: "Expédié le {time}",
    deliveredAt: "Livré le {time}",
    signedAnswer: "Le serveur de la boutique a signé sa réponse, SHA-256 {hash}",
    shopSays: "Déclaré par la boutique le {time}",
    explorer: "Voir dans l’explorateur",
    deposits: "Les dépôts du réseau",
    depositsOfBuyer: "En payant, vous avez laissé deux dépôts au réseau.",
    depositsOfOther:
      "Un autre portefeuille a laissé les deux dépôts du réseau pour vous ; ils lui reviennent donc : {wallet}.",
    depositsUnknown: "Deux dépôts ont été laissés au réseau.",
    vaultBack: (sol) =>
      `${sol ?? "Le dépôt du contrat intelligent"} : revenu lorsque la dernière part a quitté le contrat intelligent.`,
    vaultComes: (sol) =>
      `${sol ?? "Le dépôt du contrat intelligent"} : revient de lui-même lorsque la dernière part quitte le contrat intelligent.`,
    recordBack: "La plus grande partie du reste est revenue à la fermeture de l’enregistrement du paiement.",
    recordDue: (sol) =>
      `${sol ?? "La plus grande partie du reste"} : revient à la fermeture de l’enregistrement du paiement, que chacun peut faire maintenant.`,
    recordFrom: (sol) =>
      `${sol ?? "La plus grande partie du reste"} : revient à la fermeture de l’enregistrement du paiement, que chacun peut faire à partir du {time}.`,
    recordLater: (sol) =>
      `${sol ?? "La plus grande partie du reste"} : revient à la fermeture de l’enregistrement du paiement, que chacun peut faire 90 jours après le départ de la dernière part.`,
    tombstone: (sol) =>
      `${sol ?? "Une petite partie"} : ne revient jamais, pour que l’adresse du paiement ne puisse plus servir. Les frais du réseau ne reviennent pas non plus.`,
    about: (sol) => `Environ ${sol}`,
    shopAccount:
      "Si la boutique n’avait pas encore de compte pour ce jeton, votre paiement l’a aussi ouvert. Ce dépôt reste avec le compte de la boutique et ne revient pas.",
    byThisMoment: "Les montants sont ceux des prix du réseau en ce moment.",
    print: "Imprimer ou enregistrer en PDF",
    copy: "Copier le lien",
    copyAddress: "Copier",
    save: "Enregistrer le fichier signé",
    saveText:
      "Une fois l’enregistrement du paiement fermé, la blockchain ne garde que sa fin. Le fichier signé garde le reste : enregistrez-le avant.",
    keep: "L’adresse de cette page est votre reçu. Gardez-la.",
    keepKey: "L’adresse de cette page est votre reçu. Gardez-la : qui la possède peut lire votre commande ici.",
    find: "Trouver un paiement",
    unknownTitle: "Pas encore connu ici",
    unknownText:
      "Ce site n’a vu aucun paiement à cette adresse. S’il vient d’être fait, rechargez cette page dans un instant. S’il est plus ancien, vérifiez l’adresse : elle appartient peut-être à un autre site.",
    findTitle: "Trouver votre paiement",
    findText:
      "Collez la signature de sa transaction ou son adresse : l’historique de votre portefeuille montre les deux. Le lien ou le numéro d’une commande, ou l’adresse du portefeuille qui a payé, conviennent aussi.",
    findLabel: "Signature, paiement, commande ou portefeuille",
    findButton: "Chercher",
    findNothing: "Rien n’a été trouvé ici.",
    findNothingText:
      "Vérifiez que tout a été collé. Une transaction qui vient d’être envoyée peut demander un instant : réessayez alors. Elle appartient peut-être aussi à un autre site.",
    findInvalid: "Ce n’est ni une signature, ni une adresse, ni une commande.",
    findAway:
      "Le réseau ne peut pas être interrogé pour le moment, et ce site ne l’a pas encore enregistré. Réessayez dans un instant.",
    found: "Paiements trouvés",
    connect: "Ou interrogez le portefeuille qui a payé",
    script: {
      nothing: "Rien n’a été modifié",
      listOf: "Paiements de {wallet}",
      demo: "Portefeuille de démonstration",
    },
    foundMore: (count) => `Les ${count} plus récents sont affichés.`,
    request: {
      label: "Paiement protégé",
      opens: (amount) => `Ouvrir un litige pour ${amount}`,
      releases: (amount) => `Libérer ${amount} pour la boutique`,
      endsDispute: (shop) => `Met fin à votre litige. La boutique reçoit ${shop}, vous ne recevez rien.`,
      endsDisputeKept: (shop, buyer) => `Met fin à votre litige. La boutique reçoit ${shop}, vous gardez ${buyer}.`,
      paysShop: (amount) => `Verser ${amount} à la boutique`,
      takesBack: (amount) => `Rendre ${amount} à l’acheteur`,
      paysBuyer: (amount) => `Verser ${amount} à l’acheteur`,
      closes: "Rendre le dépôt d’un paiement",
    },
    foundStates: {
      protected: "Protégé",
      settling: "En route vers la boutique",
      disputed: "En litige",
      lapsed: "Vous revient",
      decided: "Décidé",
      settled: "Versé à la boutique",
      partly_refunded: "Partagé",
      refunded: "Remboursé",
      vanished: "Disparu",
    },
  },

  actions: {
    nothing: "Rien n’a été modifié",
    tokens: "jetons",
    lessThanAMinute: "moins d’une minute",
    lost: "La connexion est coupée. Votre paiement n’est pas perdu : cette page redemande d’elle-même.",
    disputeTitle: "Ouvrir le litige ?",
    disputeText:
      "Cela bloque aussitôt {amount}. La boutique peut encore les renvoyer, le décideur peut trancher, et après 90 jours sans décision tout vous revient.",
    releaseTitle: "Libérer l’argent maintenant ?",
    releaseText: "La boutique reçoit alors {shop} tout de suite. C’est irréversible.",
    releaseTextKept: "La boutique reçoit alors {shop} tout de suite ; {buyer} restent à vous. C’est irréversible.",
    releaseDisputedText:
      "Cela met fin à votre litige. La boutique reçoit {shop}, et rien ne vous revient. Aucune boutique n’en a besoin pour vous rembourser. C’est irréversible.",
    releaseDisputedTextKept:
      "Cela met fin à votre litige. La boutique reçoit {shop}, et vous gardez {buyer}. Aucune boutique n’en a besoin pour vous rembourser. C’est irréversible.",
    settleText:
      "Le délai pour contester est écoulé. Cela envoie {shop} à la boutique, comme cela se ferait sinon automatiquement.",
    refundUnresolvedText:
      "Aucune décision dans les 90 jours. Cela renvoie {amount} au portefeuille qui a payé, {sender}.",
    payOutSenderText:
      "Cela envoie {buyerRest} au portefeuille qui a payé, {sender}. Personne ne peut revenir là-dessus.",
    payOutRecipientText: "Cela envoie {shopRest} à la boutique, comme décidé.",
    closeText:
      "Cela ferme l’enregistrement du paiement sur la blockchain et rend son dépôt à {payer}. La blockchain ne garde alors que la fin du paiement : enregistrez d’abord cette page.",
    rentPayer: "le portefeuille qui l’a payé",
    releaseWith: "Libérer avec {wallet}",
    signWith: "Signer avec {wallet}",
    typeAmount: "Tapez {amount} pour confirmer que la boutique le reçoit",
    typeAmountWrong: "Tapez d’abord {amount}. Rien n’a été signé.",
    neededWallet: "Il faut le portefeuille qui a payé, {needed}.",
    anyWallet: "N’importe quel portefeuille peut l’envoyer. Il paie les frais du réseau et ne reçoit rien.",
    cancel: "Annuler",
    confirmIn: "Confirmez dans {wallet}. Le réseau prend {cost} SOL.",
    confirmFree: "Confirmez dans {wallet}. Vous n’avez pas besoin de SOL.",
    makesAccount:
      "Dont {account} SOL pour ouvrir votre compte pour ce jeton ; ils reviennent si vous fermez ce compte.",
    returns: "{back} SOL de dépôt reviennent à {to}.",
    otherTab: "Un autre onglet fait cela en ce moment. Terminez là-bas, ou continuez ici si vous l’avez fermé.",
    noWallet:
      "Aucun portefeuille n’a été trouvé dans ce navigateur. Installez-en un, ou utilisez un autre moyen ci-dessous.",
    walletElsewhere: "{wallet} est sur un autre réseau",
    openIn: "Ouvrir dans {wallet}",
    openAppText: "La même page s’ouvre dans le navigateur de l’application, où son portefeuille peut signer.",
    phone: "Signer avec votre téléphone",
    phoneText:
      "Scannez-le avec l’appareil photo d’une application de portefeuille. L’application montre ce qu’elle signe ; cette page se met à jour d’elle-même.",
    phoneNeedsHttps:
      "Une application de portefeuille n’accepte que le code d’une adresse https, et ce site n’en a pas.",
    solanaPay: "Ouvrir une application de portefeuille par un lien Solana Pay",
    multisig: "Instructions pour un portefeuille à plusieurs signataires",
    multisigText:
      "Pour {needed}, si c’est un compte à plusieurs signataires. Elles ne valent que pour cette action, et ses membres peuvent prendre leur temps.",
    multisigMake: "Préparer les instructions",
    multisigInstructions: "Instructions (JSON)",
    copy: "Copier",
    copied: "Copié",
    copyFailed: "La copie a échoué. Sélectionnez le texte et copiez-le à la main.",
    demo: "Portefeuille de démonstration",
  },

  disputeForm: {
    title: (amount) => `Quelque chose ne va pas : ${amount}`,
    back: "Retour au reçu",
    open: {
      title: "Qu’est-ce qui ne va pas ?",
      lead: "Notez-le tant que vous vous en souvenez : cette page le garde sur cet appareil. Ouvrir le litige est une seule transaction, qui bloque l’argent et ne dit rien de plus. Vous pouvez l’ouvrir jusqu’au {time}.",
    },
    disputed: {
      title: "Votre litige est ouvert",
      lead: "La blockchain le montre, et votre argent est bloqué. Ce que vous avez écrit n’est que sur cet appareil jusqu’à ce que vous l’envoyiez. Ouvert le {time}.",
    },
    over: {
      title: "Aucun litige ne peut être ouvert maintenant",
      lead: "Le reçu dit où est l’argent, et ce que vous pouvez encore faire. Ce que vous avez écrit reste sur cet appareil.",
    },
    toCase: "Aller à votre litige pour l’envoyer",
    ask: "Un message à la boutique est souvent le plus rapide. Le délai pour ouvrir un litige continue de courir.",
    askUnknown:
      "Écrivez aussi à la boutique : un message est souvent le plus rapide. Le délai pour ouvrir un litige continue de courir.",
    reason: "Motif",
    reasonText: "Choisissez celui qui convient le mieux.",
    usualOutcome: "Issue habituelle",
    reasons: {
      not_received: [
        "Ce n’est pas arrivé",
        "Rien n’est venu, ou seulement une partie.",
        [
          "Notez la date promise par la boutique.",
          "Gardez le numéro de suivi, ou les messages de la boutique sur la livraison.",
        ],
      ],
      not_as_described: [
        "Ce n’est pas conforme à la description",
        "Cassé, erroné, ou différent de ce que la boutique a promis.",
        [
          "Photographiez ce que vous avez reçu.",
          "Gardez ce que promettait la page de la boutique, en image ou en page enregistrée.",
          "Gardez la marchandise.",
        ],
      ],
      paid_twice: [
        "J’ai payé deux fois",
        "Deux paiements pour une commande.",
        [
          "Notez l’adresse de l’autre paiement : son reçu la montre.",
          "La boutique peut renvoyer celui-ci d’elle-même.",
        ],
      ],
      returned_or_canceled: [
        "Je l’ai retourné ou annulé",
        "La boutique a récupéré la marchandise, ou vous avez annulé la commande à temps.",
        ["Gardez la preuve d’envoi.", "Gardez la confirmation d’annulation de la boutique."],
      ],
      other: [
        "Autre chose",
        "Ce sont vos mots qui comptent.",
        ["Dites ce que vous aviez convenu avec la boutique, et ce qui s’est passé à la place."],
      ],
    },
    text: "Avec vos mots",
    textHint: "Qu’avez-vous commandé, que s’est-il passé, et quand ?",
    textMax: 5_000,
    want: "Que voulez-vous récupérer ?",
    wantText: "Vous pouvez toujours convenir d’un autre montant avec la boutique.",
    all: (amount, isRest) => `${isRest ? "Le reste" : "Tout"} : ${amount}`,
    part: "Une partie",
    partText: "Vous gardez la marchandise, ou une partie.",
    partLabel: (unit) => `Montant à récupérer, en ${unit}`,
    copyDraft: "Copier ce que j’ai écrit",
    deleteDraft: "Le supprimer de cet appareil",
    happens: "Ce qui se passe quand vous ouvrez le litige",
    happensNow: "Ce qui se passe maintenant",
    frozen: "Aussitôt : l’argent est bloqué",
    frozenNow: "L’argent est bloqué",
    frozenText: (amount) =>
      `${amount} restent dans le contrat intelligent. Aucune des deux parties ne peut les prendre seule.`,
    shopCan: "À tout moment : la boutique peut le renvoyer",
    shopCanText: "En tout ou en partie, sans rien de votre part. Ne libérez jamais l’argent contre une promesse.",
    arbiterCan: "Sans accord : le décideur peut trancher",
    talkFirst: "Vous et la boutique échangez d’abord ; la page de votre litige dit jusqu’à quand.",
    arbiterCanText:
      "L’argent peut aller à vous ou à la boutique, ou être partagé. Personne ne peut revenir sur la décision.",
    lapses: "Après 90 jours : ce qui est dans le contrat intelligent vous revient",
    lapsesText: "Seulement sans décision d’ici au {time}.",
    button: "Ouvrir le litige",
    signs: (wallet) =>
      `Le portefeuille qui a payé, ${wallet}, signe une transaction. Aucun argent n’en sort, hormis les frais du réseau, affichés avant.`,
    notSent: "Ce que vous avez écrit ne fait pas partie de la transaction, et cette page ne l’envoie à personne.",
    needsScript:
      "Ouvrir un litige ici nécessite JavaScript : activez-le, ou ouvrez cette page dans l’application du portefeuille qui a payé.",
    script: {
      saved: "Enregistré sur cet appareil à {time}, et envoyé à personne.",
      notSaved: "Ce navigateur ne garde rien. Copiez votre texte avant de quitter cette page.",
      deleted: "Supprimé de cet appareil.",
      count: "{count} sur 5 000",
      partHint: "Vous voulez récupérer {part} ; la boutique garde {rest}.",
      partWrong: "Entrez un montant supérieur à zéro, de {amount} au plus.",
      copyPayment: "Paiement de {amount} : {payment}",
      copyReason: "Motif : {reason}",
      copyWanted: "Je veux récupérer : {wanted}",
    },
  },

  dispute: {
    offerStatuses: {
      open: "Ouverte",
      accepted: "Acceptée",
      declined: "Refusée",
      withdrawn: "Retirée",
      replaced: "N’est plus ouverte",
      expired: "Terminée",
    },
    questions: {
      open: "On peut y répondre jusqu’au {time}.",
      over: "On pouvait y répondre jusqu’au {time}.",
      answered: "Il y a été répondu.",
      answeredOpen: "Il y a été répondu. Les deux parties peuvent écrire jusqu’au {time}.",
      decided: "La question a pris fin avec la décision, le {decided}. On aurait pu y répondre jusqu’au {time}.",
    },
    erasedAt: "Effacé le {time}",
    head: {
      yours: "À vous jusqu’au {time}",
      others: "À la boutique jusqu’au {time}",
      asked: "Le décideur vous pose une question. Répondez jusqu’au {time}",
      arbiter: "Le décideur doit trancher d’ici au {time}",
      overdue: "Le décideur devait trancher avant le {time}",
      lapsed: "Aucune décision à temps",
      agreedYours: "Accord trouvé. À vous de libérer l’argent, jusqu’au {time}",
      agreedOthers: "Accord trouvé. À la boutique de rembourser, jusqu’au {time}",
      decided: "Le décideur a tranché",
      paused: "Suspendu",
      closed: "Clos",
    },
    silence: {
      yours:
        "Répondez, faites une offre, ou écrivez ce que le décideur doit savoir. Si vous ne faites rien, il tranche d’après ce qui est écrit ici.",
      others:
        "La boutique peut répondre, faire une offre, ou renvoyer l’argent. Sinon, le décideur tranche d’après ce qui est écrit ici.",
      asked:
        "Le décideur vous a posé une question, à vous et à la boutique. Sans réponse de votre part, il tranche d’après ce qui est écrit ici.",
      askedAlone:
        "Le décideur vous a posé une question. Sans réponse de votre part, il tranche d’après ce qui est écrit ici.",
      reply:
        "La boutique a répondu à la question du décideur, et vous pouvez répliquer. Sinon, il tranche d’après ce qui est écrit ici.",
      spent:
        "Vous avez envoyé autant de textes que vous le pouvez. Si vous ne faites rien de plus, le décideur tranche d’après ce qui est écrit ici.",
      othersAsked:
        "Le décideur vous a posé une question, à vous et à la boutique. La boutique n’a pas encore répondu. Sans réponse, le décideur tranche d’après ce qui est écrit ici.",
      othersAskedAlone:
        "Le décideur a posé une question à la boutique. Sans réponse, il tranche d’après ce qui est écrit ici.",
      othersReply:
        "Vous avez répondu à la question du décideur, et la boutique peut répliquer. Sans réplique, le décideur tranche d’après ce qui est écrit ici.",
      arbiter: "Le décideur tranche d’après ce qui est écrit ici. Vous pouvez encore vous mettre d’accord.",
      failed: "Le décideur tranche d’après ce qui est écrit ici. Votre accord a échoué, et il n’y en a pas de second.",
      lapsed:
        "Ce qui est dans le contrat intelligent vous revient, en général de lui-même en quelques minutes. Sinon, chacun peut l’envoyer.",
      agreedYours:
        "À vous de libérer l’argent. Si la blockchain ne montre pas l’accord d’ici là, il échoue, et le décideur tranche.",
      agreedOthers:
        "À la boutique de rembourser. Si la blockchain ne montre pas l’accord d’ici là, il échoue, et le décideur tranche.",
      agreedYoursLast:
        "À vous de libérer l’argent. Si la blockchain ne montre pas l’accord d’ici là, ce qui est dans le contrat intelligent vous revient.",
      agreedOthersLast:
        "À la boutique de rembourser. Si la blockchain ne montre pas l’accord d’ici là, ce qui est dans le contrat intelligent vous revient.",
      decided: "Ce qui revient à chacun quitte le contrat intelligent, en général de lui-même en quelques minutes.",
      paused:
        "Le réseau est revenu sur l’ouverture du litige. Il reprendra quand le réseau la montrera de nouveau ; tous les textes sont gardés.",
      closed: "Ce litige est terminé. Le reçu montre qui a reçu quoi.",
    },
    writeToo: "D’ici là, vous pouvez écrire aussi.",
    answerOnce: "Vous pouvez encore écrire un message, jusqu’au {time}.",
    othersAnswerOnce: "La boutique peut encore écrire un message, jusqu’au {time}.",
    bothWrite: "Après la question du décideur, vous pouvez tous les deux écrire jusqu’au {time}.",
    cannotWrite:
      "Vous ne pouvez pas écrire maintenant : le décideur tranche d’après ce qui est écrit ici. Si vous pouvez écrire à nouveau, cette page le dira.",
    track: {
      opened: { title: "Ouvert", text: "{time}. L’argent a alors été bloqué." },
      talk: { title: "Les deux parties échangent", text: "Jusqu’au {time}" },
      talked: { title: "L’échange est terminé", text: "{time}" },
      agreed: { title: "Accord des deux parties", text: "Jusqu’au {time}, les deux peuvent l’exécuter" },
      decide: { title: "Le décideur tranche", text: "Prévu d’ici au {time}" },
      decideLate: {
        title: "Le décideur tranche",
        text: "D’ici au {time}. La question est venue tard : on peut encore y répondre après.",
      },
      decideElse: { title: "En cas d’échec, le décideur tranche", text: "Prévu d’ici au {time}" },
      lapsed: { title: "Le délai pour trancher est écoulé", text: "{time}" },
      decided: { title: "Le décideur a tranché", text: "{time}" },
      asAgreed: { title: "Les deux parties ont exécuté l’accord", text: "Tout l’argent était parti le {time}" },
      ended: { title: "Le litige a pris fin", text: "Tout l’argent était parti le {time}" },
      lapse: {
        title: "Sans décision",
        text: "À partir du {time}, ce qui est dans le contrat intelligent vous revient.",
      },
    },
    decideLater: "Si vous ne vous mettez pas d’accord. La date est fixée à la fin de l’échange.",
    decideOverdue: "Elle était due le {time}",
    overdue:
      "La décision est en retard. Le décideur peut encore trancher jusqu’au {time} ; ensuite, ce qui est dans le contrat intelligent vous revient.",
    said: {
      opened: "litige ouvert le {time}, signé sur la blockchain",
      wrote: "écrit le {time}",
      offered: "offre faite le {time}",
      asked: {
        both: "question aux deux parties le {time}",
        buyer: "question pour vous le {time}",
        merchant: "question à la boutique le {time}",
      },
    },
    unanswered: {
      both: "Aucune des deux parties n’a répondu.",
      buyer: "Vous n’avez pas répondu.",
      merchant: "La boutique n’a pas répondu.",
    },
    ownOffer: "La boutique peut accepter votre offre.",
    offering: {
      make: "Faire une offre",
      sentence: "Une phrase à la boutique (facultatif)",
      decline: "Refuser",
      withdraw: "Retirer",
      replaces: "Une nouvelle offre remplace votre offre ouverte.",
    },
    asking: {
      ask: "Demander une décision",
      text: "Si vous la demandez tous les deux, l’échange prend fin, et le décideur tranche. Vous ne pouvez pas revenir là-dessus.",
      textLast:
        "La boutique a demandé une décision. Si vous la demandez aussi, la discussion prend fin maintenant, et vous ne pourrez pas revenir là-dessus.",
      asked:
        "Vous avez demandé une décision. L’échange continue jusqu’à ce que la boutique la demande aussi, ou que son temps finisse.",
      othersAsked:
        "La boutique a demandé une décision. Si vous la demandez aussi, l’échange prend fin aussitôt, et le décideur tranche. Sinon, vous échangez au moins jusqu’au {time}.",
    },
    files: {
      kinds: { pdf: "PDF", text: "Texte" },
      title: "Fichiers",
      choose: "Fichiers à envoyer",
      hint: "Images, PDF et textes simples jusqu’à 5 Mo. La boutique et le décideur les voient, et personne ne peut les modifier ni les supprimer. Le lieu et les autres données cachées des images sont retirés.",
      asWord:
        "Pendant que le décideur tranche, un fichier compte comme votre unique réponse : envoyez d’abord votre texte.",
      follow: "Des fichiers peuvent suivre pendant une heure, ou jusqu’à ce que la boutique réponde.",
      send: "Envoyer les fichiers",
      count: (sent, most) => `${sent} sur ${most} envoyés`,
      progress: "Progression",
      sending: {
        file: "Envoi de {name}…",
        size: "Un fichier fait de 1 octet à 5 mégaoctets.",
        unread: "Le fichier n’a pas pu être lu. Choisissez-le de nouveau.",
        insecure: "Sans https, aucun fichier ne peut être envoyé.",
      },
    },
    unsaid:
      "Votre litige est ouvert, et ce qui est dans le contrat intelligent est bloqué. Personne n’a encore lu un mot de vous : dites ce qui ne va pas. Sinon, et sans accord avec la boutique, le décideur tranche sans un mot de vous.",
    offered: (amount) => `La boutique vous propose ${amount}, et vous pouvez accepter.`,

    title: (amount) => `Litige pour ${amount}`,
    back: "Retour au reçu",
    proofTitle: "Montrez que vous avez payé",
    proofOpen:
      "Le litige est ouvert, et l’argent est bloqué. Si vous n’avez pas encore dit ce qui ne va pas et le pouvez encore, faites-le ensuite.",
    proofText:
      "Votre portefeuille signe un texte une fois. Pendant 30 jours, ce navigateur montre alors votre commande et comment joindre la boutique, et vous pouvez lire ce qui a été dit dans un litige sur ce paiement, et écrire tant que c’est possible. La signature ne déplace pas d’argent et ne vous engage à rien.",
    proofWallet: (wallet) => `Le portefeuille qui a payé, ${wallet}, signe.`,
    proofPanel: "Signer avec votre portefeuille",
    proofSmart: "Un portefeuille intelligent, ou à plusieurs signataires",
    proofSmartText:
      "Il signe ce texte comme mémo sur la blockchain, seul ou avec l’ouverture d’un litige. Vous avez sept jours. Entrez ensuite la signature de cette transaction.",
    proofSmartMake: "Afficher le mémo",
    proofMemo: "Mémo",
    proofPlain: "Instructions (JSON)",
    proofLanded: "Signature de la transaction",
    proofLandedSend: "La vérifier",
    needsScript:
      "Prouver et écrire ici nécessite JavaScript : activez-le, ou ouvrez cette page dans l’application du portefeuille qui a payé.",
    noCase: "Aucun litige n’est ouvert",
    noCaseText: "Vous pourrez écrire une fois un litige ouvert. Ouvrez-en un sur le reçu.",
    unsent: "Ce que vous avez écrit n’est que sur cet appareil, et personne ne l’a lu. Signez, puis envoyez-le.",
    look: {
      buyer: "Vous ne recevez pas d’e-mail : revenez voir chaque jour. C’est à vous jusqu’au {time}.",
      merchant: "Vous ne recevez pas d’e-mail : revenez voir chaque jour. C’est à la boutique jusqu’au {time}.",
      arbiter: "Vous ne recevez pas d’e-mail : revenez voir chaque jour. Le décideur compte trancher d’ici au {time}.",
      lapse: "Vous ne recevez pas d’e-mail : revenez voir chaque jour. Le décideur peut trancher jusqu’au {time}.",
    },
    calendar: "Ajouter les dates à votre agenda",
    dates: {
      buyer: "fin de votre tour",
      merchant: "fin du tour de la boutique",
      arbiter: "décision attendue",
    },
    lapseDate: "Sans décision d’ici là, ce qui est dans le contrat intelligent vous revient.",
    usualOutcome: "Issue habituelle",
    talk: "Ce qui a été dit",
    you: "Vous",
    shop: "La boutique",
    allErased: "Les textes et fichiers de ce litige ont été effacés le {time}",
    asked: (amount) => `Demandé : ${amount} en tout.`,
    releaseAsked:
      "La boutique vous demande-t-elle de libérer l’argent ? Cela mettrait fin à votre litige et paierait la boutique. Aucune boutique n’en a besoin pour vous rembourser.",
    offerOfYou: "Votre offre",
    offerOfShop: "L’offre de la boutique",
    toYou: "pour vous",
    toShop: "pour la boutique",
    openUntil: "Ouverte jusqu’au {time}",
    gain: (now, total) => `${now} de plus (${total} en tout)`,
    had: (total) => `${total} en tout, que vous avez déjà`,
    accept: (amount) => `Accepter : recevoir ${amount}`,
    acceptTexts: {
      both: "En acceptant, vous convenez tous deux de ces montants. Votre portefeuille signe maintenant votre accord ; l’argent part une fois que la boutique a remboursé votre part et que vous avez libéré le reste.",
      refund:
        "En acceptant, vous convenez tous deux que tout vous revient. Votre portefeuille signe maintenant votre accord ; l’argent part une fois que la boutique l’a remboursé.",
      release:
        "En acceptant, vous convenez tous deux de ces montants. Votre portefeuille signe maintenant votre accord ; l’argent part une fois que vous l’avez libéré pour la boutique.",
    },
    opening: "Dites ce qui ne va pas",
    openingText: "La boutique et le décideur le lisent. C’est envoyé une fois et ne peut pas être modifié.",
    reason: "Motif",
    want: (unit) => `Vous voulez récupérer (${unit})`,
    wantMore: (amount) => `En plus des ${amount} qui sont déjà à vous.`,
    text: "Avec vos mots",
    sendOpening: "Envoyer à la boutique",
    answer: "Ajouter au litige",
    answerText: "La boutique et le décideur le lisent. Une fois envoyé, cela ne peut pas être modifié.",
    neverRelease: "Ne libérez jamais l’argent contre une promesse.",
    sendAnswer: "Envoyer",
    offerText:
      "Le montant que vous avez à la fin. Votre portefeuille le signe, et la boutique peut alors l’accepter. L’offre est ouverte sept jours.",
    offerAmount: (unit) => `Vous recevez en tout (${unit})`,
    offerHas: (amount) => `Dont ${amount} sont déjà à vous.`,
    sendOffer: "Signer et envoyer l’offre",
    askSure: "Oui, demander une décision",
    askUnwritten:
      "Vous n’avez encore rien écrit. Dites d’abord ce qui ne va pas : quand l’échange prend fin, le décideur tranche, et vous ne pourrez peut-être plus écrire.",
    agreed: (amount) => `Convenu : vous recevez ${amount}`,
    agreementFailed: (amount) =>
      `Vous étiez convenus que vous recevriez ${amount}. La blockchain ne l’a pas montré avant le {time} ; l’accord a donc échoué.`,
    agreedRest: (amount) => `La boutique reçoit ${amount}.`,
    waitsRefund: "À la boutique : elle rembourse votre part sur la blockchain. Puis vous libérez le reste ici.",
    waitsRefundAlone: "À la boutique : son remboursement vous rend tout. Vous n’avez plus rien à signer.",
    waitsRelease: "À vous : la boutique a remboursé votre part sur la blockchain. Libérez le reste, comme convenu.",
    waitsReleaseAlone: "À vous : vous avez accepté de ne rien récupérer, et votre libération paie la boutique.",
    release: "Libérer le reste, comme convenu",
    releaseText: "La boutique reçoit sa part de l’accord. C’est irréversible.",
    releaseAnyway: "Libérer l’argent",
    releaseAnywayText:
      "Met fin à votre litige, et la boutique est payée. Aucune boutique n’en a besoin pour vous renvoyer l’argent.",
    facts: "Les faits",
    factsText: "D’après la blockchain et la commande. La boutique et le décideur les voient aussi.",
    paidAt: "Payé le",
    openedAt: "Litige ouvert le",
    ordered: "Commandé",
    reference: "Commande",
    inEscrow: "Dans le contrat intelligent",
    sentBack: "Renvoyé",
    sentBackDue: "Vous est déjà acquis",
    arbiter: "Décideur",
    emails: "E-mails sur ce litige",
    emailsText:
      "Nous écrivons quand c’est à vous, quand la boutique fait une offre et quand le litige se termine. Rien de ce qui a été écrit n’y est cité.",
    email: "Adresse e-mail",
    sendLink: "Envoyer le lien de confirmation",
    linkSent: "Ouvrez le lien que nous envoyons à {email}",
    emailsGo: "Les e-mails vont à {email}",
    emailUnread: "Vous avez indiqué une adresse e-mail, mais elle est illisible pour le moment.",
    removeEmail: "Retirer",
    browsers: "Navigateurs autorisés",
    browsersText: "Chacun a prouvé le portefeuille. Mettez fin à ceux que vous ne connaissez pas.",
    thisBrowser: "Ce navigateur",
    since: "depuis le {time}",
    end: "Mettre fin",
    accessEnded: {
      title: "L’accès de ce navigateur a pris fin",
      text: "L’accès dure 30 jours, et tout navigateur qui en dispose peut y mettre fin. Cela ne change rien à votre paiement ni au litige. Pour continuer à lire, rouvrez cette page et signez avec le portefeuille qui a payé.",
      open: "Rouvrir avec votre portefeuille",
    },
    script: {
      proveWith: "Signer avec {wallet}",
      proving: "Confirmez le texte dans {wallet}. Il ne déplace pas d’argent.",
      checking: "Vérification de la signature…",
      binding: "Confirmez les montants dans {wallet}. Aucun argent ne bouge encore.",
      no_way:
        "{wallet} ne peut signer ici ni textes ni transactions. Utilisez un autre portefeuille, ou la voie des portefeuilles intelligents.",
      done: "Fait.",
      amountWrong: "Entrez un montant de zéro à {amount}.",
      textMissing: "Écrivez d’abord quelque chose.",
      reasonMissing: "Choisissez d’abord un motif.",
      fileMissing: "Choisissez d’abord un fichier.",
      fileSent: "{name} : envoyé.",
      saved: "Gardé sur cet appareil jusqu’à ce que vous l’envoyiez.",
      chooseWallet: "Choisissez le portefeuille qui signe :",
      emailConfirmed: "Votre adresse e-mail est confirmée.",
    },
  },

  emailPages: {
    enterTitle: "E-mails sur ce paiement",
    enterText:
      "Vous recevez votre reçu, et un message à l’envoi de la commande, 48 heures avant la fin de votre protection, et en cas de remboursement ou de litige. Rien d’autre : aucune publicité.",
    label: "Votre adresse e-mail",
    enter: "Envoyer un lien",
    invalid: "Saisissez une seule adresse e-mail, par exemple kim@example.com.",
    kept: "Elle est conservée chiffrée, n’est montrée à personne, et est effacée un an après la fin du paiement.",
    enteredTitle: "Regardez dans votre boîte de réception",
    enteredText:
      "Un e-mail vous demande de confirmer l’adresse, sauf si elle l’est déjà ; un par jour au plus. Si vous avez mis fin auparavant aux e-mails vers elle, la page d’un e-mail plus ancien les autorise à nouveau.",
    back: "Retour au paiement",
    notPaidText:
      "Les e-mails commencent avec un paiement. Cette commande n’en a pas, ou son adresse reste : la boutique l’a indiquée, ou sa boîte est confirmée.",
    consentTitle: "E-mails sur vos paiements",
    states: {
      none: "Votre adresse n’est pas confirmée. D’ici là, seules des demandes de confirmation lui sont envoyées, une par jour au plus.",
      confirmed: "Votre adresse est confirmée. Vous recevez des e-mails sur les paiements qui l’indiquent.",
      stopped:
        "Les e-mails vers votre adresse ont pris fin : il n’en viendra plus aucun, d’aucune boutique ici. L’adresse a été effacée de chaque paiement pour lequel des e-mails venaient. Un code qui en est tiré reste, pour que de futurs paiements n’en envoient pas.",
    },
    confirm: "Confirmer",
    allow: "Autoriser les e-mails des paiements à venir",
    stop: "Arrêter tous les e-mails",
    stopText:
      "Cela met fin à tous les e-mails de paiements vers cette adresse, de toutes les boutiques ici, et l’efface de ces paiements. Les commandes qui l’indiquent plus tard la gardent chiffrée jusqu’à 30 jours après leur expiration, ou un an après la fin de leur paiement.",
    tooMany: "Trop d’adresses ont été saisies. Réessayez demain.",
    badKeyTitle: "Ce lien ne fonctionne pas",
    badKeyText: "Ouvrez-le à nouveau depuis l’e-mail, en entier.",
  },

  emails: {
    confirmation: ({ shop, consent, erasedFrom }) => ({
      subject: "Confirmez votre adresse e-mail",
      text: `Un paiement à la boutique ${shop} indique cette adresse e-mail. Confirmez-la sur cette page pour recevoir votre reçu, et être prévenu de l’envoi de la commande, de la fin de votre protection, des remboursements et des litiges :

${consent}

Tant que vous ne confirmez pas, aucun autre e-mail ne vient. Si vous ne connaissez pas ce paiement, ignorez celui-ci, ou appuyez sur « Arrêter tous les e-mails » sur la page : il n’en viendra alors plus aucun.

Votre adresse n’est conservée que pour ces e-mails, et est effacée un an après la fin du paiement, au plus tôt le ${erasedFrom}.
`,
    }),
    paid: ({ shop }, { amount, until, canObject, isLate, receipt }) => ({
      subject: "Vous avez payé : votre reçu",
      text: `Vous avez payé ${amount} à la boutique ${shop}.${
        isLate ? " Le paiement est arrivé en retard : demandez à la boutique si elle livre encore." : ""
      }${canObject ? ` Vous pouvez contester jusqu’au ${until} ; d’ici là, la boutique n’a pas l’argent.` : ""}

Gardez votre reçu${canObject ? ". C’est là que vous ouvrez un litige, avec votre portefeuille" : ""} :
${receipt}`,
    }),
    sent: ({ shop }, { until, canObject, receipt }) => ({
      subject: "Votre commande a été envoyée",
      text: `La boutique ${shop} dit que votre commande a été envoyée. Ce qu’elle a noté figure sur votre reçu :
${receipt}${canObject ? `\n\nVous pouvez contester jusqu’au ${until}.` : ""}`,
    }),
    deadline: ({ shop }, { rest, until, receipt }) => ({
      subject: "Votre protection prend bientôt fin",
      text: `Votre protection prend fin le ${until}. Ensuite, la boutique ${shop} reçoit ${rest}.

Si tout va bien, vous n’avez rien à faire. Si quelque chose ne va pas, ouvrez un litige avant ce moment :
${receipt}`,
    }),
    refunded: ({ shop }, { amount, refunded, receipt }) => ({
      subject: "Vous avez reçu un remboursement",
      text: `Sur les ${amount} que vous avez payés à la boutique ${shop}, ${refunded} sont revenus à votre portefeuille.

${receipt}`,
    }),
    footer: ({ shop, line, consent, erasedFrom }) =>
      `${line === null ? "" : `La boutique écrit : ${line}\n\n`}Vous recevez cet e-mail parce que vous avez confirmé votre adresse pour des nouvelles de paiements. Il s’agit ici d’un paiement à la boutique ${shop}. Arrêtez ces e-mails ici. Retirez ce lien avant de répondre à cet e-mail ou de le transférer : qui l’a peut aussi les arrêter.
${consent}
Votre adresse n’est conservée que pour eux, et est effacée un an après la fin du paiement, au plus tôt le ${erasedFrom}.
`,
  },

  disputeEmails: {
    subjects: {
      opened: "Un litige a été ouvert",
      offer: "La boutique a fait une offre dans un litige",
      turn: "C’est à vous dans un litige",
      due_soon: "Votre tour dans un litige prend bientôt fin",
      closed: "Un litige a été tranché ou clos",
    },
    sentences: {
      opened: "Un litige a été ouvert.",
      offer: "La boutique a fait une offre.",
      turn: "C’est à vous, jusqu’au {time}.",
      due_soon: "Votre tour prend fin le {time}.",
      closed: "Le litige a été tranché ou clos.",
    },
    remove: "Vous pouvez y retirer votre adresse.",
    confirm: "Confirmez votre adresse e-mail",
    confirmText: (link) =>
      `Ouvrez ce lien dans les 24 heures pour recevoir des e-mails sur le litige d’un paiement :\n\n${link}\n\nSi vous n’y avez pas saisi votre adresse, vous pouvez ignorer cet e-mail.\n`,
  },

  refusals: {
    notFromPage: "Cela n’est possible que depuis la page de paiement elle-même.",
    tooMany: "Trop de requêtes. Attendez une minute, puis réessayez.",
    networkAway: "Le réseau est injoignable pour le moment. Réessayez bientôt.",
    unavailable: "Le service n’est pas disponible pour le moment. Réessayez.",
    failed: "Le service a échoué. Rien n’a été payé par cette requête.",
    sentBefore: "Vous l’avez déjà envoyé, et c’est arrivé.",
    mayHaveArrived: "Votre envoi est peut-être arrivé. Rechargez la page pour le voir.",
    tooLarge: "La requête est trop grande.",
    notJsonType: "Envoyez la requête en JSON, en UTF-8.",
    notJson: "La requête n’est pas du JSON valide, ou pas du HTTP valide.",
    noPayment: "Il n’y a pas de paiement à cette adresse.",
    noAction: "Cette action n’existe pas pour un paiement.",
    noQuery: "Envoyez une recherche, ou le compte d’un portefeuille.",
    notFindable: "Ce n’est ni une signature, ni une adresse, ni une commande.",
    noTerms: "Aucune condition avec cette empreinte n’a été affichée ici.",
    notAWallet: "Ce n’est pas l’adresse d’un portefeuille.",
    notAnAmount: "Ce n’est pas un montant dans la plus petite unité du jeton.",
    refundNeedsAmount: "Un remboursement exige un montant. Ouvrez la page du paiement.",
    notASignature: "Ce n’est pas la signature d’une transaction.",
    notATransaction: "Ce n’est pas une transaction.",
    notSigned: "Ce n’est pas une transaction entièrement signée.",
    notSignedFor: "Ce n’est pas une transaction entièrement signée de ce paiement.",
    notThisPayment: "Cette transaction ne fait pas le paiement de cette page.",
    tooLate: "Trop de temps a passé ; rien n’a été envoyé. Appuyez de nouveau.",
    otherWallet: "C’est un autre portefeuille qui doit signer.",
    solForFee: (wallet, sol) => `Il manque ${sol} à ${wallet} pour les frais du réseau.`,
    solForDeposits: (wallet, sol) => `Il manque ${sol} à ${wallet} pour frais et dépôts.`,
    theWallet: "ce portefeuille",
    wouldFail: "Le réseau refuserait cela maintenant. Rien n’a été modifié.",
    notSponsored: "Frais non pris en charge pour le moment. Réessayez, ou ajoutez du SOL.",
    alreadyPaid: "Ce portefeuille a déjà payé. Le paiement est en cours de confirmation.",
    paymentWouldFail: "Le réseau refuserait cela maintenant. Rien n’a été payé.",
    offerExpired: "Trop de temps a passé. Rien n’a été payé. Réessayez.",
    arbiterChanged: "Le décideur a changé ; rien n’a été payé. Vérifiez, puis réessayez.",
    accountFrozen: "L’émetteur du jeton a gelé ce compte. Il ne peut pas payer.",
    isRecipient: "Ce portefeuille est celui à payer. Payez avec un autre.",
    isProgram: "Ce compte appartient à un programme et ne peut pas payer lui-même.",
    tokenShort: (wallet, has, needed) => `${wallet} a ${has} ; il en faut ${needed}.`,
    tokenLacks: (wallet, missing) => `Il manque ${missing} à ${wallet}.`,
    notPayable: {
      paid: "C’est déjà payé. Plus rien n’est nécessaire.",
      expired: "Le délai de paiement est écoulé. Demandez un nouveau lien à la boutique.",
      canceled: "La boutique a annulé ce paiement. Ne le payez pas.",
    },
    held: "Paiements suspendus : un changement est vérifié. Réessayez plus tard.",
    notAccepted: "La boutique ne peut accepter ce paiement. Rien n’a été payé.",
    notScreened: "Vérification impossible pour l’instant. Rien n’a été payé. Réessayez.",
    noSeat: {
      full: "Toutes les places sont prises. Des impayées peuvent bientôt se libérer.",
      has_paid: "Ce portefeuille a déjà payé par ce lien. Utilisez-en un autre.",
      closed: "La boutique a fermé ce lien. Ne payez pas.",
    },
    obstacles: {
      payment_closed: "Ce paiement a pris fin il y a longtemps ; il est fermé.",
      already_paid_out: "Tout l’argent est déjà parti. Il n’y a plus rien à faire.",
      already_decided: "Il est déjà décidé qui reçoit l’argent.",
      already_disputed: "Un litige est déjà ouvert.",
      not_disputed: "Aucun litige n’est ouvert pour ce paiement.",
      protection_over: "Le délai pour ouvrir un litige est écoulé.",
      protection_running: "Le délai pour ouvrir un litige n’est pas encore écoulé.",
      arbitration_over: "90 jours ont passé depuis le litige. Tout peut revenir à l’acheteur.",
      arbitration_running: "C’est possible 90 jours après l’ouverture du litige.",
      nothing_due: "Rien ne peut être versé maintenant.",
      invalid_total: "Ce montant n’est plus possible. Rechargez la page et vérifiez-le.",
      less_bound: "Le remboursement de la boutique manque. Rechargez et vérifiez le montant.",
      not_paid_out: "Une partie de l’argent n’est pas encore partie.",
      retention_running: "Le dépôt peut être rendu 90 jours après le dernier versement.",
      vault_open: "Le compte de jetons du paiement est encore ouvert. Réessayez plus tard.",
      vault_short: "L’émetteur a retiré des jetons du contrat intelligent. Voyez avec la boutique.",
      vault_frozen: "L’émetteur du jeton a gelé l’argent de ce paiement.",
      rent_risen: "Le dépôt a augmenté. Seul le portefeuille qui l’a payé peut le rendre.",
      rent_payer_short: "Le portefeuille qui reçoit le dépôt a trop peu de SOL.",
      destination_missing: "Le portefeuille à payer n’a pas encore de compte pour ce jeton.",
      destination_frozen: "L’émetteur du jeton a gelé le compte destinataire.",
    },
    dispute: {
      none: "Il n’y a pas de litige pour ce paiement.",
      notOpen: "Aucun litige n’est encore ouvert pour ce paiement.",
      prove: "Prouvez d’abord que ce portefeuille a payé. La page vous guide.",
      proveAgain: "Mettez fin à l’accès de ce navigateur ci-dessous, puis prouvez le portefeuille.",
      smartWallet: "Un portefeuille intelligent se prouve par un mémo sur la blockchain.",
      noWay: "Un portefeuille ne se prouve pas de cette façon.",
      accessEnded: "Cet accès a déjà pris fin.",
      reason: "Choisissez un motif.",
      text: "Écrivez au plus 5 000 caractères de texte simple.",
      sentence: "Écrivez au plus 500 caractères de texte simple.",
      characters: "Le texte contient des caractères qui ne peuvent pas être enregistrés.",
      amount: "Entrez au plus le montant que vous avez payé.",
      offerUntil: "Une offre est ouverte d’une heure à 14 jours, dans les 90 jours du litige.",
      email: "Entrez une adresse e-mail.",
      noEmails: "Ce service n’envoie pas d’e-mails.",
      tooManyLinks: "Trop de liens ont été envoyés. Réessayez demain.",
      linkEnded: "Ce lien n’est plus valable. Entrez de nouveau votre adresse.",
    },
    proofs: {
      outdated: "Demande déjà utilisée, trop ancienne ou d’un autre navigateur. Recommencez.",
      wrong: "La signature n’est pas celle de ce qui vaut maintenant. Rechargez et vérifiez.",
      changed: "Ce que vous avez signé ne vaut plus. Rechargez la page et vérifiez.",
      notLanded: "Le réseau ne montre pas encore cette transaction. Réessayez.",
      noMemo: "Cette transaction n’a pas de mémo que le portefeuille ait signé pour cela.",
    },
    disputeChanged: {
      paused: "Le réseau est revenu sur le litige. Attendez qu’il le montre de nouveau.",
      deciding: "Le décideur tranche maintenant.",
      agreed: "Vous êtes déjà d’accord. Signez ce qui manque.",
      decided: "Le décideur a tranché. Rien ne peut être ajouté.",
      closed: "Ce litige est clos.",
      already_given: "Vous avez déjà dit ce qui ne va pas. Écrivez une nouvelle réponse.",
      already_asked: "Vous avez déjà demandé une décision.",
      not_your_turn: "Le décideur tranche. On répond à la boutique une fois, dans les 48 heures.",
      limit_reached: "Vous avez atteint ce qu’une partie peut écrire ou envoyer dans un litige.",
      daily_limit_reached: "C’est assez pour aujourd’hui. Vous pourrez écrire de nouveau demain (UTC).",
      refund_exceeds: "La boutique a déjà rendu plus que cela.",
      offer_not_open: "Cette offre n’est plus ouverte. Rechargez la page.",
      agreement_failed: "Un accord a déjà échoué. C’est maintenant au décideur de trancher.",
    },
    files: {
      none: "Ce fichier n’existe pas dans ce litige.",
      name: "Donnez au fichier un nom simple de 100 caractères au plus.",
      size: "Un fichier fait de 1 octet à 5 mégaoctets.",
      unread: "Le fichier n’a pas pu être lu. Choisissez-le de nouveau.",
      busy: "Trop de fichiers sont en route. Réessayez dans un instant.",
      ended: "Cet envoi a pris fin, ou le fichier est arrivé. Choisissez-le de nouveau.",
      changed: "Ce ne sont pas les octets annoncés. Envoyez le fichier de nouveau.",
      tooLong: "Le fichier est plus long qu’annoncé. Choisissez-le de nouveau.",
      tooShort: "Le fichier est plus court qu’annoncé. Choisissez-le de nouveau.",
      encoded: "Envoyez le fichier sans Content-Encoding.",
      late: "Le fichier n’est pas arrivé à temps. Réessayez.",
      broken: "La connexion s’est rompue pendant l’envoi du fichier.",
      failed: "Le service a échoué. Réessayez.",
      content: {
        type: "Envoyez une image PNG, JPEG ou WebP, un PDF ou du texte simple.",
        broken: "Cette image est abîmée ou animée. Enregistrez-la de nouveau, ou envoyez un PDF.",
        pixels: "Cette image dépasse 40 mégapixels. Envoyez-en une plus petite.",
      },
    },
    x402: {
      payload: "PAYMENT-SIGNATURE ne contient pas de données x402 du schéma protected.",
      offerEnded: "L’offre a pris fin.",
      pending: "Le paiement est en route. Envoyez la même requête de nouveau.",
      paidBefore: "Déjà payé. Votre paiement attend ; demandez son remboursement à la boutique.",
    },
    receiptUnchecked: "Ce paiement est en cours de vérification. Réessayez.",
    receiptUnsigned: "Les reçus ne peuvent pas être signés ici pour le moment.",
    receiptUnknown: "Aucun paiement n’est connu ici à cette adresse.",
  },
};
