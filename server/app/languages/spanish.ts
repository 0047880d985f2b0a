import type { LanguageTexts } from "../../features/checkout/languages/language.ts";

// Read by: nobody yet.
export const SPANISH: LanguageTexts = {
  tag: "es",
  name: "Español",
  locale: "es-ES",
  direction: "ltr",
  readBy: null,

  wallet: {
    connecting: "Pidiendo su cuenta a {wallet}…",
    preparing: "Preparando la transacción…",
    sending: "Enviando…",
    left: "Quedan {seconds} segundos. Si su billetera tarda más, pulse después otra vez.",
    sent: "Enviado. Esta página lo mostrará en cuanto la red lo reciba.",
    unknown:
      "No es seguro que se haya enviado. Puede estar en camino: esta página le avisará cuando ya no sea posible.",
    too_late: "Su billetera tardó demasiado para la red. {nothing}, y así seguirá: pulse otra vez.",
    failed: "La red lo rechazó. {nothing}.",
    rejected: "Usted lo rechazó en la billetera. {nothing}.",
    no_account:
      "La billetera no indicó ninguna cuenta de Solana. Desbloquéela y permita que este sitio la vea. {nothing}.",
    wrong_network: "{wallet} está en otra red que este pago. Cámbiela y pulse otra vez. {nothing}.",
    other_wallet: "Hace falta la billetera {needed}. {wallet} indicó {given}: cambie la cuenta y pulse otra vez.",
    wallet_failed: "La billetera no pudo terminar ({reason}). {nothing}.",
    unexpected_bytes:
      "Detenido: lo que la billetera iba a firmar no es lo que muestra esta página ({reason}). {nothing}.",
    no_answer: "No se puede acceder a la red en este momento. {nothing}; inténtelo de nuevo en un momento.",
  },

  page: {
    languages: "Idioma",
    to: (amount, business) => `${amount} a ${business}`,
    smallestUnits: "unidades mínimas",
    tokens: "tokens",
    lessThanAMinute: "menos de un minuto",
    verified: "Dominio verificado",
    unproven: "Esta tienda no ha demostrado ningún dominio. Compruebe que es la que usted conoce.",
    order: (number) => `Pedido ${number}`,
    test: "Pago de prueba",
    testHint: "No se mueve dinero real.",

    pricedAt: (rate, unit) => `al cambio ${rate}. Los reembolsos se hacen en ${unit}.`,
    payWithin: "Pague en",
    pay: (amount) => `Pagar ${amount}`,
    heldFor: (period) => `En un contrato inteligente durante ${period}. La tienda no cobra hasta después.`,
    costLater: "El coste de la red se muestra antes de que usted firme.",
    costAbout: (cost, back) => `Más unos ${cost} para la red, de los que ${back} vuelven por sí solos a su billetera.`,
    costUnlessSponsored: (cost, back) =>
      `No necesita SOL: este sitio puede pagar el coste de la red. Una billetera con SOL paga unos ${cost}, de los que ${back} vuelven por sí solos a su billetera.`,
    costWhy: "Por qué, y qué vuelve",
    otherWallet: "Otra billetera",
    otherWalletHint: "Elegir",
    phone: "Pagar con el teléfono",
    phoneHint: "Código QR",
    phoneText: "Escanéelo con la cámara de una aplicación de billetera. La página que ve aquí se actualiza sola.",
    phoneNeedsHttps:
      "Una aplicación de billetera solo acepta un código de una dirección https, y este sitio no la tiene. Pague en este navegador.",
    openAppText:
      "Abra esta página en una aplicación de billetera. Su navegador muestra lo mismo, y allí puede pagar con la billetera.",
    openIn: (wallet) => `Abrir en ${wallet}`,
    solanaPay: "Pagar con una aplicación de billetera",
    cannotPay:
      "A la espera de su pago. Este sitio todavía no puede prepararlo en el navegador: pregunte a la tienda cómo pagar.",
    noScript:
      "Para pagar con una billetera en este navegador hace falta JavaScript. Actívelo, o abra esta página en una aplicación de billetera.",
    or: "o",
    payAnyway: "¿No envió nada?",
    payAnywayHint: "Pagar de todos modos",
    payAnywayText:
      "Lo que se envió llega pronto o nunca, y esta página muestra una cosa o la otra. Pague solo si sabe que nadie pagó por usted: un segundo pago habría que reclamarlo a la tienda.",

    protection: "Cómo está protegido",
    payStep: "Usted paga. La tienda aún no cobra.",
    payText: (amount) =>
      `${amount} van a un contrato inteligente en Solana. Ni la tienda ni este sitio pueden tocarlos.`,
    objectStep: (period) => `${period} para reclamar`,
    objectText:
      "¿No llegó nada, o no es lo que pidió? Abra una disputa en su recibo dentro de este plazo; cuenta desde su pago.",
    shopStep: "Después cobra la tienda",
    shopText: "Si todo está bien, no tiene que hacer nada. También puede liberar el dinero antes, en su recibo.",
    judge:
      "Las disputas las decide {arbiter}. El dinero solo puede ir a usted, a la tienda, o una parte a cada uno, y a ningún otro lugar. Si no hay decisión en 90 días, se le reembolsa.",
    judgeIsShop:
      "Quien decide aquí es la misma cuenta en la que cobra la tienda: decidiría sus propias disputas. Pague solo si confía en ella.",
    judgeIsOwn: "La propia tienda decide las disputas.",
    judgeUnknown: "el decisor que este sitio indica al pagar",
    rules: "¿Con qué reglas?",
    rulesText:
      "El decisor lee lo que ambas partes escriben y envían, la política de reembolso de la tienda y las condiciones que menciona su pago. En este sitio da sus motivos. Usted y la tienda pueden llegar a un acuerdo en cualquier momento antes.",
    reasonNames: {
      not_received: "No llegó",
      not_as_described: "No es como se describía",
      paid_twice: "Pagué dos veces",
      returned_or_canceled: "Lo devolví o lo cancelé",
      other: "Otra cosa",
    },
    rights: "Esto no limita sus derechos legales.",
    receipt: "Abrir su recibo",
    objectUntil: "Puede reclamar hasta el",
    objectUntilText:
      "Hasta entonces su dinero queda en el contrato inteligente; ni la tienda ni este sitio pueden tocarlo. Si no hace nada, entonces cobra la tienda.",
    keepReceipt: "Guarde el enlace del recibo: ahí reclama, o libera el dinero.",

    details: "Detalles",
    recipient: "Destinatario",
    token: "Token",
    paymentId: "Número de pago",
    intent: "Solicitud de pago",
    payment: "Pago",
    transaction: "Transacción",
    sender: "Pagado por",
    arbiter: "Decisor",
    program: "Programa",
    operator: "Cuenta del operador",
    openUntil: "Se puede pagar hasta",
    refundPolicy: "Política de reembolso",
    contact: "Contactar con la tienda",
    backTo: "Volver a {business}",
    leadsTo: (host) => `El botón de abajo lleva a ${host}; la tienda no ha demostrado que sea suyo.`,
    protectedBy: "Protegido por Holdfast",
    runBy: "Este sitio lo gestiona {operator}",
    irreversible: "La red no puede deshacer esto.",
    getEmails: "Recibir correos sobre este pago",

    states: {
      held: {
        title: "Los pagos están en pausa",
        text: "Este sitio debe confirmar antes un cambio en la red. No se le ha cobrado nada. Inténtelo más tarde, o pregunte a la tienda.",
      },
      in_flight: {
        title: "En camino",
        text: "Se envió un pago y espera a la red. No pague otra vez; esta página se actualiza sola.",
      },
      protected: { title: "Pagado y protegido", text: "La tienda ve su pago." },
      settling: {
        title: "Pagado",
        text: "El plazo para reclamar ha terminado. El dinero está a punto de ir a la tienda.",
      },
      disputed: {
        title: "En disputa",
        text: "La disputa decide quién recibe lo que está en el contrato inteligente. Su recibo lleva a la página de la disputa, que dice a quién le toca y hasta cuándo.",
      },
      decided: {
        title: "Decidido",
        text: "Está decidido quién recibe qué. El dinero está a punto de salir del contrato inteligente.",
      },
      settled: { title: "Pagado y completado", text: "El dinero fue a la tienda." },
      partly_refunded: {
        title: "Pagado, y reembolsado en parte",
        text: "El dinero se repartió entre usted y la tienda.",
      },
      refunded: { title: "Reembolsado", text: "Todo el dinero volvió a la billetera que pagó." },
      expired: {
        title: "El plazo de pago ha terminado",
        text: "No pague ya. Pida a la tienda un enlace nuevo. Si ya pagó, esta página lo mostrará.",
      },
      canceled: {
        title: "Cancelado por la tienda",
        text: "No pague. Si ya pagó, esta página lo mostrará, y podrá reclamar su dinero a la tienda.",
      },
    },
    reportedOver:
      "Alguien comunicó un pago que la red no conoce o no puede aceptar. Si acaba de pagar usted, espere a que esta página deje de decirlo antes de pedir un enlace nuevo.",
    late: {
      paid_after_expiry: "El pago llegó tarde: después del plazo de pago. Es posible que la tienda no entregue.",
      paid_after_cancel:
        "El pago llegó tarde: después de que la tienda cancelara. Es posible que la tienda no entregue.",
      found_after_cancel:
        "Usted pagó a tiempo, pero la red no lo mostró hasta después de que la tienda cancelara. Es posible que la tienda no entregue.",
    },
    overLimit:
      "Se pagó cuando ya no quedaban plazas. Es posible que la tienda no entregue, y puede devolver el dinero: pídaselo, o abra una disputa a tiempo.",
    mismatch:
      "Llegó un pago que menciona este pedido pero no sus condiciones, como el importe. No paga el pedido. Si lo envió usted, su recibo dice dónde está el dinero y quién puede devolverlo: mírelo antes de pagar otra vez.",
    findPayment: "Buscar ese pago",
    duplicateTitle: (count) => (count === 1 ? "Pagado dos veces" : `Pagado ${count + 1} veces`),
    duplicateText: "Alguien volvió a pagar este pedido. Cada recibo dice cómo se devuelve ese dinero.",
    duplicate: "{amount} de {wallet}",
    partRefund: (amount) => `De su pago vuelven a usted ${amount}.`,
    partRefunded: (amount) => `De su pago volvieron a usted ${amount}.`,

    notFoundTitle: "No encontrado",
    notFoundText: "No hay ningún pago en esta dirección. Compruebe el enlace, o pida uno nuevo a la tienda.",
    unavailableTitle: "Un momento",
    unavailableText:
      "El servicio no puede responder ahora. No se le ha cobrado nada. Vuelva a cargar esta página dentro de un rato.",
    tooManyText:
      "Llegaron demasiadas solicitudes de su red. No se le ha cobrado nada. Espere un minuto y vuelva a cargar esta página.",
    reload: "Volver a cargar",
    ended: {
      title: "Esta página ya no está al día",
      text: "El servicio ya no muestra lo que había aquí. Vuelva a cargar la página para ver lo que vale ahora.",
      open: "Volver a cargar",
    },
    walletText: (amount, business, period) => `${amount} a ${business}, protegido ${period}`,

    script: {
      nothing: "No se pagó nada",
      confirmIn: "Confirme en {wallet}: {amount}, y {cost} SOL para la red.",
      confirmFree: "Confirme en {wallet}: {amount}. No necesita SOL.",
      cost: "Más {cost} SOL{worth} para la red, de los que {back} SOL vuelven por sí solos a su billetera.",
      costWorth: " (unos {value})",
      costMore:
        "SOL es el dinero de la propia red: con él se pagan su tarifa y sus depósitos. {back} SOL vuelven cuando el pago termina, y {later} SOL más si se cierra su registro en la cadena, lo que cualquiera puede hacer a partir de 90 días después del fin del pago. El resto no vuelve. Las cantidades exactas se muestran antes de que firme.",
      sponsored: "No hace falta SOL: el coste de la red se paga por usted.",
      payWith: "Pagar con {wallet}",
      noOther: "No se encontró otra billetera en este navegador. Instale una y aparecerá aquí.",
      noWallet: "No hay billetera en este navegador",
      noWalletHint: "Instale una billetera de Solana, o pague con el teléfono.",
      walletElsewhere: "{wallet} está en otra red",
      walletElsewhereHint: "Cambie su red y vuelva a cargar esta página, o pague de otro modo.",
      arbiterChanged:
        "El decisor ha cambiado o no se conocía. Lea quién decide ahora las disputas, y pulse otra vez para pagar.",
      otherTab: "Otra pestaña está pagando este pedido. Termine allí, o siga aquí si la cerró.",
      lost: "Se perdió la conexión. Su pago no se ha perdido: esta página vuelve a preguntar sola.",
      leftInDoubt: "La red aún puede aceptarlo durante {seconds} segundos.",
      notArrived: "La red no recibió el pago a tiempo, así que no se pagó nada ni se pagará. Puede pagar otra vez.",
      payAgain: "Pagar otra vez con {wallet}",
      sent: "Enviado. Esta página sigue el pago sola; no pague otra vez.",
      unknown: "No es seguro que el pago se haya enviado. Espere a que esta página lo sepa; no pague otra vez antes.",
      reported:
        "Alguien comunicó un pago que la red no conoce o no puede aceptar. Puede pagar. Si acaba de pagar usted, espere a que esta página deje de decirlo.",
      mayBePaid:
        "Puede que ya haya un pago en camino. Si llega, un segundo habría que reclamarlo a la tienda. Pulse otra vez solo si está seguro de que no se envió nada.",
      payAnyway: "Pagar de todos modos con {wallet}",
      notSent: "¿No envió nada? Pagar de todos modos con {wallet}",
      earlierTry: "Un pago anterior puede estar aún en camino.",
      lessThanAMinute: "menos de un minuto",
      demo: "Billetera de demostración",
      demoHint: "Dinero ficticio de la cadena local",
    },
  },

  link: {
    amount: "Importe",
    amountInvalid: (decimals) =>
      `Escriba un importe mayor que 0, por ejemplo 25, con ${decimals} decimales como máximo y una coma.`,
    continue: (amount) => `Pagar ${amount}`,
    continueOpen: "Continuar",
    next: "Todavía no se paga nada. La página siguiente muestra lo que paga, y pregunta a su billetera.",
    left: (left, all) => `Plazas libres: ${left} de ${all}. Una es suya en cuanto haya firmado.`,
    held: "Ahora mismo todas las plazas están ocupadas. Algunas aún no están pagadas: puede quedar una libre en unos minutos.",
    until: "Se puede pagar hasta {time}",
    protection: (period) =>
      `Su dinero queda en un contrato inteligente durante ${period}, en los que puede abrir una disputa. Después cobra la tienda.`,
    states: {
      full: { title: "No quedan plazas", text: "No pague ya. Pregunte a la tienda si habrá más." },
      expired: { title: "El plazo de pago ha terminado", text: "No pague ya. Pida a la tienda un enlace nuevo." },
      closed: {
        title: "La tienda ha cerrado este enlace",
        text: "No pague, por favor. Pida a la tienda un enlace nuevo.",
      },
    },
    priced: (unit) =>
      `Usted paga en ${unit}. La página siguiente muestra cuánto es al cambio de ese momento, y hasta cuándo vale. Los reembolsos se hacen en ${unit}.`,
    unpriced:
      "Ahora no se puede convertir el precio en tokens, así que todavía no puede pagar. No se le ha cobrado nada. Inténtelo de nuevo pronto.",
    refused: "Ahora no se puede pagar a la tienda con este enlace. No se le ha cobrado nada. Pregunte a la tienda.",
    tooManyToday:
      "Hoy se iniciaron demasiados pedidos con este enlace desde su red. No se le ha cobrado nada. Vuelva mañana, o pregunte a la tienda.",
    notFoundText: "No hay ningún enlace de pago en esta dirección. Compruébela, o pida uno nuevo a la tienda.",
  },

  receipt: {
    title: (amount, shop) => `Recibo: ${amount} a ${shop}`,
    toNobody: (amount) => `Recibo: ${amount}`,
    unknownShop: "Este recibo no nombra ninguna tienda",
    keyless: "¿Es su pago?",
    unlock: "Mostrar el pedido y cómo contactar con la tienda, con la billetera que pagó",
    provenThen: "Dominio verificado cuando usted pagó",
    unprovenThen: "Sin dominio verificado cuando usted pagó",
    paidAt: "pagado el {time}",
    panel: "Estado del pago",
    theShop: "la tienda",
    states: {
      protected: {
        title: "Pagado y protegido",
        text: (inEscrow) => `La tienda aún no ha cobrado. En el contrato inteligente: ${inEscrow}.`,
      },
      settling: {
        title: "El plazo para abrir una disputa ha terminado",
        text: () => "Nadie reclamó, así que el dinero está a punto de ir a la tienda.",
      },
      disputed: {
        title: "En disputa: su dinero está bloqueado",
        text: (inEscrow) =>
          `${inEscrow} quedan en el contrato inteligente. Ninguna de las partes puede llevárselos sola.`,
      },
      lapsed: { title: "Su dinero vuelve a usted", text: () => "La disputa no se decidió en 90 días." },
      decided: {
        title: "Está decidido quién recibe el dinero",
        text: () => "El dinero está a punto de salir del contrato inteligente.",
      },
      settled: { title: "La tienda ha cobrado", text: () => "No queda nada de este pago en el contrato inteligente." },
      partly_refunded: {
        title: "El dinero se repartió",
        text: () => "No queda nada de este pago en el contrato inteligente.",
      },
      refunded: { title: "Ha recuperado su dinero", text: () => "Todo volvió a la billetera que pagó." },
      vanished: {
        title: "Este pago ha desaparecido",
        text: () =>
          "La red descartó su transacción antes de que fuera definitiva. El dinero está donde estaba, en la billetera que pagó. Si el pago vuelve a llegar, esta página lo mostrará.",
      },
    },
    toBuyerTitle: (amount) => `Vuelven a usted ${amount}`,
    toShopTitle: "El dinero va a la tienda",
    partSentTitle: (amount) => `La tienda devolvió ${amount}`,
    partSent: "Ese importe volvió a la billetera que pagó. Aún puede abrir una disputa por el resto.",
    partDueTitle: (amount) => `La tienda devuelve ${amount}`,
    partDue: "Están a punto de salir del contrato inteligente. Aún puede abrir una disputa por el resto.",
    unmatchedTitle: "Este pago no corresponde a ningún pedido",
    duplicateTitle: "Este pedido se pagó dos veces",
    lateTitle: "Pagado tarde, y protegido",
    facts: {
      primary: null,
      duplicate: "Otro pago del mismo pedido llegó antes, así que este sobra.",
      unknown_payment_id:
        "Este sitio no conoce ningún pedido con el número de este pago. El contrato inteligente lo protege de todos modos.",
      terms_differ: "Menciona un pedido de este sitio, pero no sus condiciones, como el importe. No paga el pedido.",
      closed: "Su registro en la cadena se cerró antes de que este sitio lo leyera. Solo se conoce su final.",
      vanished: null,
      overLimit: "Se pagó cuando ya no quedaban plazas, así que es posible que la tienda no entregue.",
    },
    late: {
      paid_after_expiry: "Llegó tarde: después del plazo de pago. Es posible que la tienda no entregue.",
      paid_after_cancel: "Llegó tarde: después de que la tienda cancelara. Es posible que la tienda no entregue.",
      found_after_cancel:
        "Usted pagó a tiempo, pero la red no lo mostró hasta después de que la tienda cancelara. Es posible que la tienda no entregue.",
    },
    askBack:
      "Pida a la tienda que lo devuelva. Si no lo hace, abra una disputa a tiempo: entonces el dinero queda en el contrato inteligente hasta que haya una decisión.",
    askLate: "Pregúntele antes de que termine el plazo para abrir una disputa.",
    clocks: {
      protected: "La tienda cobra en",
      disputed: "Termina como máximo en",
      agreed: "Tiempo para cumplir el acuerdo",
    },
    began: { protected: "Pagado el {time}", disputed: "Disputa abierta el {time}", agreed: "Acordado el {time}" },
    ends: "Hasta el {time}",
    silence: {
      protected: "Si no hace nada, entonces cobra la tienda.",
      settling: "Suele salir solo en unos minutos. Si no, cualquiera puede enviarlo.",
      disputed: "Si nadie ha decidido para entonces, lo que está en el contrato inteligente vuelve a usted.",
      agreed: "Si la cadena no muestra el acuerdo para entonces, fracasa, y resuelve el decisor.",
      agreedLast:
        "Si la cadena no muestra el acuerdo para entonces, lo que está en el contrato inteligente vuelve a usted.",
      lapsed: "Suele salir solo en unos minutos. Si no, cualquiera puede enviarlo.",
      decided: "Suele salir solo en unos minutos. Si no, cualquiera puede enviarlo.",
    },
    nobodyWrites: "No recibirá ningún correo antes.",
    calendar: "Añadir esta fecha a su calendario",
    calendarTitles: {
      protected: (what) => `Último momento para abrir una disputa: ${what}`,
      disputed: (what) => `Si nadie ha decidido, lo que está en el contrato inteligente vuelve ahora a usted: ${what}`,
      agreed: (what) => `Termina el tiempo para cumplir su acuerdo: ${what}`,
    },
    heldSilence: "Hasta que se haga, el dinero queda en el contrato inteligente.",
    heldStep: "En cuanto pueda salir.",
    held: {
      recipient: {
        memo_required:
          "Ahora no puede salir: la cuenta de tokens de la tienda exige una nota en cada transferencia. La tienda debe desactivarlo; entonces sale solo, o lo envía cualquiera.",
        account_frozen:
          "Ahora no puede salir: el emisor del token ha congelado la cuenta de tokens de la tienda. Solo el emisor puede levantarlo; entonces sale solo.",
        account_missing:
          "Ahora no puede salir: la billetera de la tienda no tiene cuenta para este token. La tienda, o cualquiera, puede abrir una; entonces sale solo, o lo envía cualquiera.",
        other:
          "Ahora no puede salir: la red rechaza la transferencia a la tienda. El operador de este sitio sabe por qué.",
      },
      sender: {
        memo_required:
          "Ahora no puede salir: la cuenta de tokens de su billetera exige una nota en cada transferencia. Desactívelo en su billetera; entonces sale solo, o envíelo aquí.",
        account_frozen:
          "Ahora no puede salir: el emisor del token ha congelado la cuenta de tokens de su billetera. Solo el emisor puede levantarlo; entonces sale solo.",
        account_missing:
          "Ahora no puede salir: su billetera ya no tiene cuenta para este token. Abra una recibiendo algo de este token; entonces sale solo, o envíelo aquí.",
        other:
          "Ahora no puede salir: la red rechaza la transferencia a su billetera. Pida a la tienda que contacte con el operador de este sitio.",
      },
    },
    stillPossible: {
      settling:
        "Ya no puede abrir una disputa. Hasta que el dinero haya salido, la tienda aún puede devolverlo: si algo va mal, pídaselo ahora.",
      settled:
        "Si ahora algo va mal, pregunte a la tienda. Puede devolverle el dinero, pero ya no por este contrato inteligente.",
      partly_refunded:
        "Si ahora algo va mal, pregunte a la tienda. Puede devolverle el dinero, pero ya no por este contrato inteligente.",
    },
    money: "Dónde está el dinero",
    toYou: "volvieron a usted",
    onTheWayToYou: "de vuelta hacia usted",
    inEscrow: "en el contrato inteligente",
    onTheWayToShop: "de camino a la tienda",
    toShop: "fueron a la tienda",
    somethingWrong: "Algo va mal",
    somethingWrongText:
      "Diga qué va mal. En cuanto su billetera haya firmado, el dinero queda bloqueado y la disputa abierta.",
    unsent: "Lo que escribió sobre su disputa está solo en este dispositivo, y nadie lo ha leído.",
    sendIt: "Enviarlo",
    sendBy: "Envíelo antes del {time}: después resuelve el decisor, y quizá ya no pueda escribir.",
    openCase: "Ir a su disputa",
    openCaseText: "Vea qué se ha dicho, a quién le toca y qué puede hacer.",
    ways: {
      release: ["Liberar el dinero ahora", "La tienda cobra en el acto. No se puede deshacer."],
      settle: ["Pagar a la tienda ahora", "Cualquiera puede adelantarlo, por la tarifa de la red."],
      refund_unresolved: [
        "Recuperar su dinero ahora",
        "Envía lo que está en el contrato inteligente a la billetera que pagó, por la tarifa de la red.",
      ],
      pay_out_sender: ["Recibir su parte ahora", "Cualquiera puede adelantarlo, por la tarifa de la red."],
      pay_out_recipient: [
        "Enviar ahora su parte a la tienda",
        "Cualquiera puede adelantarlo, por la tarifa de la red.",
      ],
      close: [
        "Recuperar su depósito",
        "Cierra el registro del pago en la cadena. El depósito de la red va a su billetera.",
      ],
    },
    releaseInDispute: "Termina su disputa, y la tienda cobra. Ninguna tienda lo necesita para devolverle el dinero.",
    releaseIfAgreed:
      "¿Han llegado ambos a un acuerdo? Entonces libere solo en la página de su disputa, cuando ella lo diga.",
    hints: {
      protected: (wallet) =>
        `¿Todo bien? Entonces no tiene que hacer nada. Para ambos botones hace falta la billetera que pagó, ${wallet}.`,
      needed: (wallet) => `Para ambos botones hace falta la billetera que pagó, ${wallet}.`,
      disputed: (wallet) =>
        `La tienda puede devolver el dinero en cualquier momento. Solo la billetera que pagó, ${wallet}, puede liberarlo.`,
      anybody: "Puede hacerlo cualquier billetera, y el dinero va a quien corresponde.",
      deposit: (wallet) => `El depósito va a la billetera que lo pagó, ${wallet}.`,
    },
    needsScript:
      "Para lo que se puede hacer aquí hace falta JavaScript: actívelo, o abra esta página en la aplicación de la billetera que pagó.",
    next: "Qué viene ahora",
    happened: "Qué ha pasado",
    paid: "Usted pagó",
    paidText: (amount) =>
      `${amount} fueron a un contrato inteligente en Solana. Ni la tienda ni este sitio pueden tocarlos.`,
    partBack: "La tienda devolvió una parte",
    partBackText: (amount) => `${amount} son suyos, pase lo que pase con el resto.`,
    objectUntil: "Puede abrir una disputa hasta el",
    objectText: "¿No llegó nada, o no es lo que pidió? Dígalo aquí antes. Después solo podrá preguntar a la tienda.",
    thenPaid: (shop) => `Después cobra ${shop}`,
    thenPaidText: "Ocurre por sí solo.",
    undisputed: "El plazo para abrir una disputa ha terminado",
    undisputedText: "Nadie abrió ninguna.",
    goesToShop: (amount, shop) => `${amount} van a ${shop}`,
    goesBack: (amount) => `${amount} vuelven a usted`,
    goesText: "Normalmente por sí solo, en unos minutos.",
    disputed: "Usted abrió una disputa",
    agreed: "Ambos llegaron a un acuerdo",
    agreedText: "La página de su disputa dice a quién le toca.",
    agreedParts: (buyer, shop) => `Usted recibe ${buyer}, y la tienda recibe ${shop}.`,
    agreedNext: {
      shop: "Le toca a la tienda: reembolsa la parte de usted.",
      you: "Le toca a usted: libere la parte de la tienda en la página de su disputa.",
    },
    agreementFailed: "El acuerdo fracasó",
    agreementFailedText: "La cadena no lo mostró a tiempo.",
    arbiterDecides: "Resuelve el decisor",
    arbiterDecidesElse: "Si eso falla, resuelve el decisor",
    arbiterDecidesUnless: "Si no cumplen un acuerdo, resuelve el decisor",
    arbiterDecidesText:
      "El dinero puede ir a usted, a la tienda, o una parte a cada uno, y a ningún otro lugar. Nadie puede revocar la decisión.",
    lapses: "Si nadie ha decidido para entonces, lo que está en el contrato inteligente vuelve a usted",
    lapsed: "Nadie decidió a tiempo",
    lapsedText: "Por eso todo el dinero vuelve a ser suyo.",
    outcomes: {
      released_by_sender: "Usted liberó el dinero",
      settled: "El plazo para abrir una disputa ha terminado",
      resolved: "El decisor resolvió",
      refunded_by_recipient: "La tienda lo devolvió",
      refunded_unresolved: "Nadie decidió a tiempo",
    },
    outcomeTexts: {
      released_by_sender: "Lo firmó la billetera que pagó.",
      settled: "Nadie abrió ninguna.",
      resolved: "Nadie puede revocar la decisión.",
      refunded_by_recipient: "Lo firmó la tienda.",
      refunded_unresolved: "Por eso todo el dinero vuelve a ser suyo.",
    },
    asAgreed: "Como acordaron ambos.",
    wentToShop: (amount, shop) => `${amount} fueron a ${shop}`,
    wentBack: (amount) => `${amount} volvieron a usted`,
    vanishedStep: "La red descartó el pago",
    vanishedText: "Al final no se movió dinero.",
    decision: {
      title: "La decisión",
      agreed: "Decidido como ambas partes habían acordado.",
      elsewhere: "Decidido fuera de este servicio, sin motivos.",
      memos: {
        unknown: "La nota del decisor no menciona ningún expediente de este servicio.",
        none: "La decisión no tiene nota.",
        other_signer: "La decisión tiene una nota que el decisor no firmó.",
        several: "El decisor firmó más de una nota, así que ninguna cuenta.",
      },
      arbiter: "Decisor",
      time: "Decidido el",
      transaction: "Transacción",
      hash: "Huella en su nota",
    },
    decidedToYou: "para usted",
    decidedToShop: "para la tienda",
    decidedMore: (amount) => `La tienda ha devuelto más: en total son suyos ${amount}.`,
    decidedWithReasons: "Los motivos solo se muestran con el enlace completo de este recibo.",
    reasonsErased: "Los motivos se borraron el {time}.",
    readCase: "Leer la disputa",
    judgeIsShop: "Quien decide aquí es la misma cuenta en la que cobra la tienda: decide sus propias disputas.",
    details: "Detalles",
    paidBy: "Pagado por",
    paidTo: "Pagado a",
    payment: "Pago",
    transaction: "Transacción",
    arbiter: "Decisor",
    token: "Token",
    terms: "Condiciones",
    termsLink: "Las condiciones tal como este sitio las mostró antes del pago.",
    termsMatch: "Su huella en la cadena coincide.",
    termsDiffer: "Su huella en la cadena coincide, pero el pago tiene otras condiciones que el texto.",
    termsUnknown: "El pago menciona un texto que este sitio no tiene.",
    termsNone: "El pago no menciona ningún texto.",
    program: "Programa",
    operator: "Cuenta del operador",
    printed: "Dirección de este recibo",
    printedAt: "A fecha de",
    checked: "Comprobado",
    checkedAt: (slot) => `en la cadena, en el slot ${slot}`,
    reference: "Pedido",
    order: "Página del pedido",
    openOrder: "Abrir la página de pago de este pedido",
    contact: "Contacto",
    noContact: "La tienda no ha indicado aquí ningún contacto. Su confirmación del pedido puede tener uno.",
    delivery: "Entrega",
    trackAt: "Seguir el envío en {host}",
    sentAt: "Enviado el {time}",
    deliveredAt: "Entregado el {time}",
    signedAnswer: "El servidor de la tienda firmó su respuesta, SHA-256 {hash}",
    shopSays: "Dicho por la tienda el {time}",
    explorer: "Ver en el explorador",
    deposits: "Los depósitos de la red",
    depositsOfBuyer: "Al pagar dejó dos depósitos a la red.",
    depositsOfOther: "Otra billetera dejó por usted los dos depósitos de la red, así que vuelven a ella: {wallet}.",
    depositsUnknown: "Se dejaron dos depósitos a la red.",
    vaultBack: (sol) => `${sol ?? "El depósito del contrato inteligente"}: volvió cuando salió la última parte.`,
    vaultComes: (sol) =>
      `${sol ?? "El depósito del contrato inteligente"}: vuelve por sí solo cuando sale la última parte.`,
    recordBack: "La mayor parte del resto volvió cuando se cerró el registro del pago.",
    recordDue: (sol) =>
      `${sol ?? "La mayor parte del resto"}: vuelve cuando se cierra el registro del pago, lo que cualquiera puede hacer ahora.`,
    recordFrom: (sol) =>
      `${sol ?? "La mayor parte del resto"}: vuelve cuando se cierra el registro del pago, lo que cualquiera puede hacer a partir del {time}.`,
    recordLater: (sol) =>
      `${sol ?? "La mayor parte del resto"}: vuelve cuando se cierra el registro del pago, lo que cualquiera puede hacer 90 días después de salir la última parte.`,
    tombstone: (sol) =>
      `${sol ?? "Una pequeña parte"}: no vuelve nunca; impide que la dirección del pago se use otra vez. Tampoco vuelve la tarifa de la red.`,
    about: (sol) => `Unos ${sol}`,
    shopAccount:
      "Si la tienda aún no tenía cuenta para este token, su pago también la abrió. Ese depósito queda con la cuenta de la tienda y no vuelve.",
    byThisMoment: "Las cifras son las de los precios de la red en este momento.",
    print: "Imprimir o guardar como PDF",
    copy: "Copiar el enlace",
    copyAddress: "Copiar",
    save: "Guardar el archivo firmado",
    saveText:
      "Una vez cerrado el registro del pago, la cadena solo conserva cómo terminó. El archivo firmado conserva el resto: guárdelo antes.",
    keep: "La dirección de esta página es su recibo. Guárdela.",
    keepKey: "La dirección de esta página es su recibo. Guárdela: quien la tenga puede leer aquí su pedido.",
    find: "Buscar un pago",
    unknownTitle: "Aún no se conoce aquí",
    unknownText:
      "Este sitio no ha visto ningún pago en esta dirección. Si se acaba de hacer, vuelva a cargar la página en un momento. Si es más antiguo, compruebe la dirección: puede ser de otro sitio.",
    findTitle: "Buscar su pago",
    findText:
      "Pegue la firma de su transacción o su dirección: el historial de su billetera muestra ambas. También sirven el enlace o el número de un pedido, o la dirección de la billetera que pagó.",
    findLabel: "Firma, pago, pedido o billetera",
    findButton: "Buscar",
    findNothing: "Aquí no se encontró nada.",
    findNothingText:
      "Compruebe que lo pegó todo. Una transacción recién enviada puede tardar un momento: inténtelo entonces. También puede ser de otro sitio.",
    findInvalid: "Esto no es ni una firma, ni una dirección, ni un pedido.",
    findAway:
      "Ahora no se puede preguntar a la red, y este sitio aún no lo ha registrado. Inténtelo de nuevo en un momento.",
    found: "Pagos encontrados",
    connect: "O pregunte a la billetera que pagó",
    script: { nothing: "No se cambió nada", listOf: "Pagos de {wallet}", demo: "Billetera de demostración" },
    foundMore: (count) => `Se muestran los ${count} más recientes.`,
    request: {
      label: "Pago protegido",
      opens: (amount) => `Abrir una disputa por ${amount}`,
      releases: (amount) => `Liberar ${amount} a la tienda`,
      endsDispute: (shop) => `Termina su disputa. La tienda recibe ${shop}, usted nada.`,
      endsDisputeKept: (shop, buyer) => `Termina su disputa. La tienda recibe ${shop}, usted conserva ${buyer}.`,
      paysShop: (amount) => `Pagar ${amount} a la tienda`,
      takesBack: (amount) => `Devolver ${amount} al comprador`,
      paysBuyer: (amount) => `Pagar ${amount} al comprador`,
      closes: "Devolver el depósito de un pago",
    },
    foundStates: {
      protected: "Protegido",
      settling: "De camino a la tienda",
      disputed: "En disputa",
      lapsed: "De vuelta",
      decided: "Decidido",
      settled: "Pagado a la tienda",
      partly_refunded: "Repartido",
      refunded: "Reembolsado",
      vanished: "Desaparecido",
    },
  },

  actions: {
    nothing: "No se cambió nada",
    tokens: "tokens",
    lessThanAMinute: "menos de un minuto",
    lost: "Se perdió la conexión. Su pago no se ha perdido: esta página vuelve a preguntar sola.",
    disputeTitle: "¿Abrir la disputa?",
    disputeText:
      "Esto bloquea {amount} en el acto. La tienda aún puede devolverlos, el decisor puede resolver, y tras 90 días sin decisión todo vuelve a usted.",
    releaseTitle: "¿Liberar el dinero ahora?",
    releaseText: "Con esto la tienda recibe {shop} ahora. No se puede deshacer.",
    releaseTextKept: "Con esto la tienda recibe {shop} ahora; {buyer} siguen siendo suyos. No se puede deshacer.",
    releaseDisputedText:
      "Esto termina su disputa. La tienda recibe {shop}, y a usted no le vuelve nada. Ninguna tienda lo necesita para reembolsarle. No se puede deshacer.",
    releaseDisputedTextKept:
      "Esto termina su disputa. La tienda recibe {shop}, y usted conserva {buyer}. Ninguna tienda lo necesita para reembolsarle. No se puede deshacer.",
    settleText: "El plazo para reclamar ha terminado. Esto envía {shop} a la tienda, como ocurriría por sí solo.",
    refundUnresolvedText: "Nadie decidió en 90 días. Esto devuelve {amount} a la billetera que pagó, {sender}.",
    payOutSenderText: "Esto envía {buyerRest} a la billetera que pagó, {sender}. Nadie puede revocarlo.",
    payOutRecipientText: "Esto envía {shopRest} a la tienda, como se decidió.",
    closeText:
      "Esto cierra el registro del pago en la cadena y devuelve su depósito a {payer}. La cadena solo conserva entonces cómo terminó el pago: guarde antes esta página.",
    rentPayer: "la billetera que lo pagó",
    releaseWith: "Liberar con {wallet}",
    signWith: "Firmar con {wallet}",
    typeAmount: "Escriba {amount} para confirmar que la tienda lo recibe",
    typeAmountWrong: "Escriba antes {amount}. No se firmó nada.",
    neededWallet: "Hace falta la billetera que pagó, {needed}.",
    anyWallet: "Puede enviarlo cualquier billetera. Paga la tarifa de la red y no recibe nada.",
    cancel: "Cancelar",
    confirmIn: "Confirme en {wallet}. La red cobra {cost} SOL.",
    confirmFree: "Confirme en {wallet}. No necesita SOL.",
    makesAccount: "De ellos, {account} SOL abren su cuenta para este token; vuelven si cierra esa cuenta.",
    returns: "{back} SOL de depósito vuelven a {to}.",
    otherTab: "Otra pestaña está haciendo esto. Termine allí, o siga aquí si la cerró.",
    noWallet: "No se encontró ninguna billetera en este navegador. Instale una, o use otro modo de los de abajo.",
    walletElsewhere: "{wallet} está en otra red",
    openIn: "Abrir en {wallet}",
    openAppText: "La misma página se abre en el navegador de la aplicación, donde su billetera puede firmar.",
    phone: "Firmar con el teléfono",
    phoneText:
      "Escanéelo con la cámara de una aplicación de billetera. La aplicación muestra lo que firma; esta página se actualiza sola.",
    phoneNeedsHttps:
      "Una aplicación de billetera solo acepta un código de una dirección https, y este sitio no la tiene.",
    solanaPay: "Abrir una aplicación de billetera con un enlace de Solana Pay",
    multisig: "Instrucciones para una billetera de varios firmantes",
    multisigText:
      "Para {needed}, si es una cuenta de varios firmantes. Valen solo para esta acción, y sus miembros pueden tomarse su tiempo.",
    multisigMake: "Preparar las instrucciones",
    multisigInstructions: "Instrucciones (JSON)",
    copy: "Copiar",
    copied: "Copiado",
    copyFailed: "No se pudo copiar. Seleccione el texto y cópielo a mano.",
    demo: "Billetera de demostración",
  },

  disputeForm: {
    title: (amount) => `Algo va mal: ${amount}`,
    back: "Volver al recibo",
    open: {
      title: "¿Qué va mal?",
      lead: "Escríbalo mientras lo recuerda: esta página lo guarda en este dispositivo. Abrir la disputa es una sola transacción, que bloquea el dinero y no dice más. Puede abrirla hasta el {time}.",
    },
    disputed: {
      title: "Su disputa está abierta",
      lead: "La cadena la muestra, y su dinero está bloqueado. Lo que escribió está solo en este dispositivo hasta que lo envíe. Abierta el {time}.",
    },
    over: {
      title: "Ahora no se puede abrir ninguna disputa",
      lead: "El recibo dice dónde está el dinero y qué puede hacer aún. Lo que escribió queda en este dispositivo.",
    },
    toCase: "Ir a su disputa, y enviarlo",
    ask: "Un mensaje a la tienda suele ser lo más rápido. El plazo para abrir una disputa sigue corriendo.",
    askUnknown:
      "Pregunte también a la tienda: un mensaje suele ser lo más rápido. El plazo para abrir una disputa sigue corriendo.",
    reason: "Motivo",
    reasonText: "Elija el que mejor encaje.",
    usualOutcome: "Resultado habitual",
    reasons: {
      not_received: [
        "No llegó",
        "No vino nada, o solo una parte.",
        [
          "Anote la fecha que prometió la tienda.",
          "Guarde el número de seguimiento, o los mensajes de la tienda sobre la entrega.",
        ],
      ],
      not_as_described: [
        "No es como se describía",
        "Roto, equivocado, o distinto de lo que prometió la tienda.",
        [
          "Haga una foto de lo que recibió.",
          "Guarde lo que prometía la página de la tienda, como imagen o página guardada.",
          "Guarde la mercancía.",
        ],
      ],
      paid_twice: [
        "Pagué dos veces",
        "Dos pagos por un pedido.",
        ["Anote la dirección del otro pago: la muestra su recibo.", "La tienda puede devolver este por su cuenta."],
      ],
      returned_or_canceled: [
        "Lo devolví o lo cancelé",
        "La tienda tiene de vuelta la mercancía, o usted canceló el pedido a tiempo.",
        ["Guarde el justificante de envío.", "Guarde la confirmación de la cancelación de la tienda."],
      ],
      other: ["Otra cosa", "Cuenta lo que usted escriba.", ["Diga qué acordó con la tienda, y qué pasó en su lugar."]],
    },
    text: "Con sus palabras",
    textHint: "¿Qué pidió, qué pasó, y cuándo?",
    textMax: 5_000,
    want: "¿Qué quiere recuperar?",
    wantText: "Aún puede acordar otro importe con la tienda.",
    all: (amount, isRest) => `${isRest ? "El resto" : "Todo"}: ${amount}`,
    part: "Una parte",
    partText: "Se queda con la mercancía, o con algo de ella.",
    partLabel: (unit) => `Importe a recuperar en ${unit}`,
    copyDraft: "Copiar lo que escribí",
    deleteDraft: "Borrarlo de este dispositivo",
    happens: "Qué pasa cuando abre la disputa",
    happensNow: "Qué pasa ahora",
    frozen: "En el acto: el dinero queda bloqueado",
    frozenNow: "El dinero está bloqueado",
    frozenText: (amount) =>
      `${amount} quedan en el contrato inteligente. Ninguna de las partes puede llevárselos sola.`,
    shopCan: "En cualquier momento: la tienda puede devolverlo",
    shopCanText: "Todo o una parte, sin que usted haga nada. No libere nunca el dinero a cambio de una promesa.",
    arbiterCan: "Sin acuerdo: el decisor puede resolver",
    talkFirst: "Primero hablan usted y la tienda; la página de su disputa dice hasta cuándo.",
    arbiterCanText: "El dinero puede ir a usted o a la tienda, o repartirse. Nadie puede revocar la decisión.",
    lapses: "Tras 90 días: lo que está en el contrato inteligente vuelve a usted",
    lapsesText: "Solo si nadie ha decidido hasta el {time}.",
    button: "Abrir la disputa",
    signs: (wallet) =>
      `La billetera que pagó, ${wallet}, firma una transacción. No sale de ella dinero, salvo la tarifa de la red, que se muestra antes.`,
    notSent: "Lo que escribió no forma parte de la transacción, y esta página no lo envía a nadie.",
    needsScript:
      "Para abrir aquí una disputa hace falta JavaScript: actívelo, o abra esta página en la aplicación de la billetera que pagó.",
    script: {
      saved: "Guardado en este dispositivo a las {time}, y enviado a nadie.",
      notSaved: "Este navegador no guarda nada. Copie su texto antes de salir de esta página.",
      deleted: "Borrado de este dispositivo.",
      count: "{count} de 5.000",
      partHint: "Quiere recuperar {part}; la tienda se queda con {rest}.",
      partWrong: "Escriba un importe mayor que cero, de {amount} como máximo.",
      copyPayment: "Pago de {amount}: {payment}",
      copyReason: "Motivo: {reason}",
      copyWanted: "Quiero recuperar: {wanted}",
    },
  },

  dispute: {
    offerStatuses: {
      open: "Abierta",
      accepted: "Aceptada",
      declined: "Rechazada",
      withdrawn: "Retirada",
      replaced: "Ya no está abierta",
      expired: "Terminada",
    },
    questions: {
      open: "Se puede responder hasta el {time}.",
      over: "Se podía responder hasta el {time}.",
      answered: "Fue respondida.",
      answeredOpen: "Fue respondida. Ambas partes pueden escribir hasta el {time}.",
      decided: "La pregunta terminó con la decisión, el {decided}. Se habría podido responder hasta el {time}.",
    },
    erasedAt: "Borrado el {time}",
    head: {
      yours: "Le toca a usted hasta el {time}",
      others: "Le toca a la tienda hasta el {time}",
      asked: "El decisor le pregunta. Responda hasta el {time}",
      arbiter: "El decisor debe resolver antes del {time}",
      overdue: "El decisor debía resolver antes del {time}",
      lapsed: "Nadie decidió a tiempo",
      agreedYours: "Hay acuerdo. Ahora libera usted, hasta el {time}",
      agreedOthers: "Hay acuerdo. Ahora reembolsa la tienda, hasta el {time}",
      decided: "El decisor ha resuelto",
      paused: "En pausa",
      closed: "Cerrada",
    },
    silence: {
      yours:
        "Responda, haga una oferta, o escriba lo que el decisor debe saber. Si no hace nada, el decisor resuelve según lo que hay aquí.",
      others:
        "La tienda puede responder, hacer una oferta, o devolver el dinero. Si no llega nada, el decisor resuelve según lo que hay aquí.",
      asked:
        "El decisor les hizo una pregunta a usted y a la tienda. Si usted no responde, el decisor resuelve según lo que hay aquí.",
      askedAlone: "El decisor le hizo una pregunta. Si usted no responde, el decisor resuelve según lo que hay aquí.",
      reply:
        "La tienda respondió a la pregunta del decisor, y usted puede replicar. Si no lo hace, el decisor resuelve según lo que hay aquí.",
      spent: "Ha enviado todos los textos que puede. Si no hace nada más, el decisor resuelve según lo que hay aquí.",
      othersAsked:
        "El decisor les hizo una pregunta a usted y a la tienda. La tienda aún no ha respondido. Si no responde, el decisor resuelve según lo que hay aquí.",
      othersAskedAlone:
        "El decisor hizo una pregunta a la tienda. Si la tienda no responde, el decisor resuelve según lo que hay aquí.",
      othersReply:
        "Usted respondió a la pregunta del decisor, y la tienda puede replicar. Si no lo hace, el decisor resuelve según lo que hay aquí.",
      arbiter: "El decisor resuelve según lo que hay aquí. Aún pueden llegar a un acuerdo.",
      failed: "El decisor resuelve según lo que hay aquí. Su acuerdo fracasó, y no hay un segundo.",
      lapsed:
        "Lo que está en el contrato inteligente vuelve a usted, normalmente solo, en unos minutos. Si no, cualquiera puede enviarlo.",
      agreedYours:
        "Ahora libera usted. Si la cadena no muestra el acuerdo para entonces, fracasa, y resuelve el decisor.",
      agreedOthers:
        "Ahora reembolsa la tienda. Si la cadena no muestra el acuerdo para entonces, fracasa, y resuelve el decisor.",
      agreedYoursLast:
        "Ahora libera usted. Si la cadena no muestra el acuerdo para entonces, lo que está en el contrato inteligente vuelve a usted.",
      agreedOthersLast:
        "Ahora reembolsa la tienda. Si la cadena no muestra el acuerdo para entonces, lo que está en el contrato inteligente vuelve a usted.",
      decided: "Lo que recibe cada uno sale del contrato inteligente, normalmente por sí solo en unos minutos.",
      paused:
        "La red revirtió la apertura de la disputa. Sigue cuando la red la muestre otra vez; se conservan todos los textos.",
      closed: "Esta disputa ha terminado. El recibo muestra quién recibió qué.",
    },
    writeToo: "Hasta entonces también puede escribir usted.",
    answerOnce: "Aún puede escribir un mensaje, hasta el {time}.",
    othersAnswerOnce: "La tienda aún puede escribir un mensaje, hasta el {time}.",
    bothWrite: "Tras la pregunta del decisor, ambos pueden escribir hasta el {time}.",
    cannotWrite:
      "Ahora no puede escribir: el decisor resuelve según lo que hay aquí. Si puede volver a escribir, esta página lo dirá.",
    track: {
      opened: { title: "Abierta", text: "{time}. Con ello se bloqueó el dinero." },
      talk: { title: "Ambas partes hablan", text: "Hasta el {time}" },
      talked: { title: "La conversación terminó", text: "{time}" },
      agreed: { title: "Ambas partes llegaron a un acuerdo", text: "Hasta el {time} ambas pueden cumplirlo" },
      decide: { title: "Resuelve el decisor", text: "Previsto antes del {time}" },
      decideLate: {
        title: "El decisor resuelve",
        text: "Antes del {time}. La pregunta llegó tarde: se puede responder también después.",
      },
      decideElse: { title: "Si eso falla, resuelve el decisor", text: "Previsto antes del {time}" },
      lapsed: { title: "El plazo para resolver terminó", text: "{time}" },
      decided: { title: "El decisor resolvió", text: "{time}" },
      asAgreed: { title: "Ambas partes cumplieron el acuerdo", text: "Todo el dinero había salido el {time}" },
      ended: { title: "La disputa terminó", text: "Todo el dinero había salido el {time}" },
      lapse: {
        title: "Si nadie decide",
        text: "A partir del {time}, lo que está en el contrato inteligente vuelve a usted.",
      },
    },
    decideLater: "Si no llegan a un acuerdo. La fecha se fija cuando termina la conversación.",
    decideOverdue: "Debía ser antes del {time}",
    overdue:
      "La decisión lleva retraso. El decisor aún puede resolver hasta el {time}; después, lo que está en el contrato inteligente vuelve a usted.",
    said: {
      opened: "abrió la disputa el {time}, firmado en la cadena",
      wrote: "escribió el {time}",
      offered: "hizo una oferta el {time}",
      asked: {
        both: "preguntó a ambas partes el {time}",
        buyer: "le preguntó a usted el {time}",
        merchant: "preguntó a la tienda el {time}",
      },
    },
    unanswered: {
      both: "Ninguna de las partes respondió.",
      buyer: "Usted no respondió.",
      merchant: "La tienda no respondió.",
    },
    ownOffer: "La tienda puede aceptar su oferta.",
    offering: {
      make: "Hacer una oferta",
      sentence: "Una frase a la tienda (opcional)",
      decline: "Rechazar",
      withdraw: "Retirar",
      replaces: "Una oferta nueva sustituye a su oferta abierta.",
    },
    asking: {
      ask: "Pedir una decisión",
      text: "Si la piden ambos, la conversación termina y el decisor resuelve. No puede revocarlo.",
      textLast:
        "La tienda ha pedido una decisión. Si usted también la pide, la conversación termina ahora, y no puede revocarlo.",
      asked:
        "Usted ha pedido una decisión. La conversación sigue hasta que la tienda también la pida, o termine su plazo.",
      othersAsked:
        "La tienda ha pedido una decisión. Si usted también la pide, la conversación termina en el acto, y el decisor resuelve. Si no, hablan al menos hasta el {time}.",
    },
    files: {
      kinds: { pdf: "PDF", text: "Texto" },
      title: "Archivos",
      choose: "Archivos para enviar",
      hint: "Imágenes, PDF y textos sin formato de hasta 5 MB. La tienda y el decisor los ven, y nadie puede cambiarlos ni borrarlos. Se eliminan el lugar y otros datos ocultos de las imágenes.",
      asWord: "Mientras el decisor resuelve, un archivo cuenta como su única respuesta: envíe antes su texto.",
      follow: "Durante una hora, o hasta que responda la tienda, pueden seguir archivos.",
      send: "Enviar archivos",
      count: (sent, most) => `Enviados ${sent} de ${most}`,
      progress: "Progreso",
      sending: {
        file: "Enviando {name}…",
        size: "Un archivo tiene de 1 byte a 5 megabytes.",
        unread: "No se pudo leer el archivo. Elíjalo otra vez.",
        insecure: "Sin https no se pueden enviar archivos.",
      },
    },
    unsaid:
      "Su disputa está abierta, y lo que está en el contrato inteligente está bloqueado. Nadie ha leído aún una palabra suya: diga qué va mal. Si no lo hace y no llega a un acuerdo con la tienda, el decisor resuelve sin una palabra suya.",
    offered: (amount) => `La tienda le ofrece ${amount}, y usted puede aceptarlo.`,

    title: (amount) => `Disputa por ${amount}`,
    back: "Volver al recibo",
    proofTitle: "Demuestre que pagó usted",
    proofOpen:
      "La disputa está abierta, y el dinero está bloqueado. Si aún no ha dicho qué va mal y todavía puede, hágalo ahora.",
    proofText:
      "Su billetera firma un texto una vez. Durante 30 días este navegador muestra entonces su pedido y cómo contactar con la tienda, y usted puede leer lo que se dijo en una disputa sobre este pago, y escribir mientras sea posible. La firma no mueve dinero ni le obliga a nada.",
    proofWallet: (wallet) => `Firma la billetera que pagó, ${wallet}.`,
    proofPanel: "Firmar con su billetera",
    proofSmart: "Una billetera inteligente, o de varios firmantes",
    proofSmartText:
      "La billetera firma este texto como memo en la cadena, solo o junto con la apertura de una disputa. Tiene siete días. Después introduzca la firma de esa transacción.",
    proofSmartMake: "Mostrar la nota",
    proofMemo: "Nota",
    proofPlain: "Instrucciones (JSON)",
    proofLanded: "Firma de la transacción",
    proofLandedSend: "Comprobarla",
    needsScript:
      "Para demostrar y escribir aquí hace falta JavaScript: actívelo, o abra esta página en la aplicación de la billetera que pagó.",
    noCase: "No hay ninguna disputa abierta",
    noCaseText: "Puede escribir cuando haya una disputa abierta. Ábrala en el recibo.",
    unsent: "Lo que escribió está solo en este dispositivo, y nadie lo ha leído. Firme, y después envíelo.",
    look: {
      buyer: "No recibe correos: mire cada día. Le toca a usted hasta el {time}.",
      merchant: "No recibe correos: mire cada día. Le toca a la tienda hasta el {time}.",
      arbiter: "No recibe correos: mire cada día. El decisor prevé resolver antes del {time}.",
      lapse: "No recibe correos: mire cada día. El decisor puede resolver hasta el {time}.",
    },
    calendar: "Añadir las fechas a su calendario",
    dates: {
      buyer: "termina su turno",
      merchant: "termina el turno de la tienda",
      arbiter: "plazo para la decisión",
    },
    lapseDate: "Si nadie ha decidido para entonces, lo que está en el contrato inteligente vuelve a usted.",
    usualOutcome: "Resultado habitual",
    talk: "Lo que se ha dicho",
    you: "Usted",
    shop: "La tienda",
    allErased: "Los textos y archivos de esta disputa se borraron el {time}",
    asked: (amount) => `Pidió ${amount} en total.`,
    releaseAsked:
      "¿La tienda le pide que libere el dinero? Eso terminaría su disputa y pagaría a la tienda. Ninguna tienda lo necesita para reembolsarle.",
    offerOfYou: "Su oferta",
    offerOfShop: "La oferta de la tienda",
    toYou: "para usted",
    toShop: "para la tienda",
    openUntil: "Abierta hasta el {time}",
    gain: (now, total) => `${now} más (${total} en total)`,
    had: (total) => `${total} en total, que ya tiene`,
    accept: (amount) => `Aceptar: recibir ${amount}`,
    acceptTexts: {
      both: "Al aceptar, ambos acuerdan estos importes. Su billetera firma ahora su conformidad; el dinero se mueve cuando la tienda haya reembolsado la parte de usted y usted haya liberado el resto.",
      refund:
        "Al aceptar, ambos acuerdan que usted lo recibe todo. Su billetera firma ahora su conformidad; el dinero se mueve cuando la tienda lo haya reembolsado.",
      release:
        "Al aceptar, ambos acuerdan estos importes. Su billetera firma ahora su conformidad; el dinero se mueve cuando usted lo haya liberado para la tienda.",
    },
    opening: "Diga qué va mal",
    openingText: "Lo leen la tienda y el decisor. Se envía una vez y no se puede cambiar.",
    reason: "Motivo",
    want: (unit) => `Quiere recuperar (${unit})`,
    wantMore: (amount) => `Además de los ${amount} que ya son suyos.`,
    text: "Con sus palabras",
    sendOpening: "Enviar a la tienda",
    answer: "Añadir a la disputa",
    answerText: "Lo leen la tienda y el decisor. Una vez enviado no se puede cambiar.",
    neverRelease: "No libere nunca el dinero a cambio de una promesa.",
    sendAnswer: "Enviar",
    offerText:
      "El importe que usted tiene al final. Su billetera lo firma, y la tienda puede entonces aceptarlo. Está abierta siete días.",
    offerAmount: (unit) => `Recibe en total (${unit})`,
    offerHas: (amount) => `De ello ya son suyos ${amount}.`,
    sendOffer: "Firmar y enviar la oferta",
    askSure: "Sí, pedir una decisión",
    askUnwritten:
      "Aún no ha escrito nada. Diga primero qué va mal: cuando la conversación termina, el decisor resuelve, y quizá ya no pueda escribir.",
    agreed: (amount) => `Acordado: usted recibe ${amount}`,
    agreementFailed: (amount) =>
      `Ambos acordaron que usted recibe ${amount}. La cadena no lo mostró antes del {time}, así que el acuerdo fracasó.`,
    agreedRest: (amount) => `La tienda recibe ${amount}.`,
    waitsRefund: "Le toca a la tienda: reembolsa la parte de usted en la cadena. Después usted libera aquí el resto.",
    waitsRefundAlone: "Le toca a la tienda: su reembolso le devuelve todo. Usted no tiene que firmar nada más.",
    waitsRelease:
      "Le toca a usted: la tienda ha reembolsado la parte de usted en la cadena. Libere el resto, como acordaron.",
    waitsReleaseAlone: "Le toca a usted: aceptó no recuperar nada, y con su liberación cobra la tienda.",
    release: "Liberar el resto, como acordaron",
    releaseText: "La tienda recibe su parte del acuerdo. No se puede deshacer.",
    releaseAnyway: "Liberar el dinero",
    releaseAnywayText:
      "Termina su disputa, y la tienda recibe el dinero. Ninguna tienda lo necesita para devolverle el dinero.",
    facts: "Datos",
    factsText: "De la cadena y del pedido. La tienda y el decisor también los ven.",
    paidAt: "Pagado el",
    openedAt: "Disputa abierta el",
    ordered: "Pedido",
    reference: "Número de pedido",
    inEscrow: "En el contrato inteligente",
    sentBack: "Devuelto",
    sentBackDue: "Ya asignado a usted",
    arbiter: "Decisor",
    emails: "Correos sobre esta disputa",
    emailsText:
      "Escribimos cuando le toca a usted, cuando la tienda hace una oferta y cuando la disputa termina. Los correos no citan nada de lo escrito.",
    email: "Dirección de correo",
    sendLink: "Enviar enlace de confirmación",
    linkSent: "Abra el enlace que enviamos a {email}",
    emailsGo: "Los correos van a {email}",
    emailUnread: "Usted indicó una dirección de correo, pero ahora no se puede leer.",
    removeEmail: "Quitar",
    browsers: "Navegadores con acceso",
    browsersText: "Cada uno demostró la billetera. Termine los que no conozca.",
    thisBrowser: "Este navegador",
    since: "desde el {time}",
    end: "Terminar",
    accessEnded: {
      title: "El acceso de este navegador ha terminado",
      text: "El acceso dura 30 días, y cualquier navegador que lo tenga puede terminarlo. Esto no cambia nada de su pago ni de la disputa. Para seguir leyendo, vuelva a abrir esta página y firme con la billetera que pagó.",
      open: "Volver a abrir con su billetera",
    },
    script: {
      proveWith: "Firmar con {wallet}",
      proving: "Confirme el texto en {wallet}. No mueve dinero.",
      checking: "Comprobando la firma…",
      binding: "Confirme los importes en {wallet}. Aún no se mueve dinero.",
      no_way:
        "{wallet} no puede firmar aquí ni textos ni transacciones. Use otra billetera, o el modo para billeteras inteligentes.",
      done: "Hecho.",
      amountWrong: "Escriba un importe de cero a {amount}.",
      textMissing: "Escriba algo antes.",
      reasonMissing: "Elija antes un motivo.",
      fileMissing: "Elija antes un archivo.",
      fileSent: "{name}: enviado.",
      saved: "Guardado en este dispositivo hasta que lo envíe.",
      chooseWallet: "Elija la billetera que firma:",
      emailConfirmed: "Su dirección de correo está confirmada.",
    },
  },

  emailPages: {
    enterTitle: "Correos sobre este pago",
    enterText:
      "Recibe su recibo, y se entera de cuándo se envió el pedido, del fin de su protección 48 horas antes, y de reembolsos y disputas. Nada más: sin publicidad.",
    label: "Su dirección de correo",
    enter: "Enviar un enlace",
    invalid: "Escriba una sola dirección de correo, por ejemplo kim@example.com.",
    kept: "Se guarda cifrada, no se muestra a nadie, y se borra un año después del fin del pago.",
    enteredTitle: "Mire en su buzón",
    enteredText:
      "Un correo le pide que confirme la dirección, salvo que ya esté confirmada; uno al día como mucho. Si antes detuvo los correos a ella, la página de un correo anterior los permite de nuevo.",
    back: "Volver al pago",
    notPaidText:
      "Los correos empiezan con un pago. Este pedido no tiene ninguno, o su dirección se queda: la indicó la tienda, o su buzón está confirmado.",
    consentTitle: "Correos sobre sus pagos",
    states: {
      none: "Su dirección no está confirmada. Hasta que lo esté, solo se le envían peticiones de confirmación, una al día como máximo.",
      confirmed: "Su dirección está confirmada. Recibe correos sobre los pagos que la indican.",
      stopped:
        "Los correos a su dirección han terminado: ya no llega ninguno, de ninguna tienda de aquí. La dirección se borró de cada pago por el que llegaban correos. Queda un código calculado a partir de ella, para que los pagos posteriores no envíen ninguno.",
    },
    confirm: "Confirmar",
    allow: "Permitir correos de pagos posteriores",
    stop: "Detener todos los correos",
    stopText:
      "Esto detiene todos los correos sobre pagos a esta dirección, de todas las tiendas de aquí, y la borra de esos pagos. Los pedidos que la indiquen después la guardan cifrada hasta 30 días después de vencer, o un año después del fin de su pago.",
    tooMany: "Se indicaron demasiadas direcciones. Inténtelo de nuevo mañana.",
    badKeyTitle: "Este enlace no funciona",
    badKeyText: "Ábralo otra vez desde el correo, entero.",
  },

  emails: {
    confirmation: ({ shop, consent, erasedFrom }) => ({
      subject: "Confirme su dirección de correo",
      text: `Un pago a la tienda ${shop} indica esta dirección de correo. Confírmela en esta página para recibir su recibo, y enterarse de cuándo se envió el pedido, de cuándo termina su protección, y de reembolsos y disputas:

${consent}

Hasta que confirme no llega ningún otro correo. Si no conoce el pago, ignore este, o pulse «Detener todos los correos» en la página: entonces no llega ninguno más.

Su dirección se guarda solo para estos correos, y se borra un año después del fin del pago, como pronto el ${erasedFrom}.
`,
    }),
    paid: ({ shop }, { amount, until, canObject, isLate, receipt }) => ({
      subject: "Ha pagado: su recibo",
      text: `Ha pagado ${amount} a la tienda ${shop}.${
        isLate ? " El pago llegó tarde: pregunte a la tienda si aún entrega el pedido." : ""
      }${canObject ? ` Puede reclamar hasta el ${until}; hasta entonces la tienda no tiene el dinero.` : ""}

Guarde su recibo${canObject ? ". Ahí abre una disputa, con su billetera" : ""}:
${receipt}`,
    }),
    sent: ({ shop }, { until, canObject, receipt }) => ({
      subject: "Su pedido se ha enviado",
      text: `La tienda ${shop} dice que su pedido se ha enviado. Lo que anotó está en su recibo:
${receipt}${canObject ? `\n\nPuede reclamar hasta el ${until}.` : ""}`,
    }),
    deadline: ({ shop }, { rest, until, receipt }) => ({
      subject: "Su protección termina pronto",
      text: `Su protección termina el ${until}. Después, la tienda ${shop} cobra ${rest}.

Si todo está bien, no tiene que hacer nada. Si algo va mal, abra antes una disputa:
${receipt}`,
    }),
    refunded: ({ shop }, { amount, refunded, receipt }) => ({
      subject: "Ha recibido un reembolso",
      text: `De ${amount} que pagó a la tienda ${shop}, volvieron a su billetera ${refunded}.

${receipt}`,
    }),
    footer: ({ shop, line, consent, erasedFrom }) =>
      `${line === null ? "" : `La tienda escribe: ${line}\n\n`}Recibe este correo porque confirmó su dirección para recibir noticias de pagos. En este caso, de un pago a la tienda ${shop}. Aquí detiene estos correos. Quite este enlace antes de responder a este correo o reenviarlo: quien lo tenga también puede detenerlos.
${consent}
Su dirección se guarda solo para ellos, y se borra un año después del fin del pago, como pronto el ${erasedFrom}.
`,
  },

  disputeEmails: {
    subjects: {
      opened: "Se abrió una disputa",
      offer: "La tienda hizo una oferta en una disputa",
      turn: "Le toca a usted en una disputa",
      due_soon: "Su turno en una disputa termina pronto",
      closed: "Una disputa se decidió o se cerró",
    },
    sentences: {
      opened: "Se abrió una disputa.",
      offer: "La tienda hizo una oferta.",
      turn: "Le toca a usted hasta el {time}.",
      due_soon: "Su turno termina el {time}.",
      closed: "La disputa se decidió o se cerró.",
    },
    remove: "Ahí puede quitar su dirección.",
    confirm: "Confirme su dirección de correo",
    confirmText: (link) =>
      `Abra este enlace en el plazo de un día para recibir correos sobre la disputa de un pago:\n\n${link}\n\nSi no indicó su dirección ahí, puede ignorar este correo.\n`,
  },

  refusals: {
    notFromPage: "Esto solo se puede hacer desde la propia página de pago.",
    tooMany: "Demasiadas solicitudes. Espere un minuto e inténtelo otra vez.",
    networkAway: "Ahora no se puede acceder a la red. Inténtelo otra vez en breve.",
    unavailable: "El servicio no está disponible ahora. Inténtelo otra vez.",
    failed: "El servicio falló. Con esta solicitud no se pagó nada.",
    sentBefore: "Ya lo había enviado, y llegó.",
    mayHaveArrived: "Puede que su envío haya llegado. Vuelva a cargar la página para verlo.",
    tooLarge: "La solicitud es demasiado grande.",
    notJsonType: "Envíe la solicitud como JSON en UTF-8.",
    notJson: "La solicitud no es JSON válido, o no es HTTP válido.",
    noPayment: "No hay ningún pago en esta dirección.",
    noAction: "No existe esa acción para un pago.",
    noQuery: "Envíe una búsqueda, o la cuenta de una billetera.",
    notFindable: "Esto no es ni una firma, ni una dirección, ni un pedido.",
    noTerms: "Aquí no se mostraron condiciones con esta huella.",
    notAWallet: "Esto no es la dirección de una billetera.",
    notAnAmount: "Esto no es un importe en la unidad mínima del token.",
    refundNeedsAmount: "Un reembolso necesita un importe. Abra la página del pago.",
    notASignature: "Esto no es la firma de una transacción.",
    notATransaction: "Esto no es una transacción.",
    notSigned: "Esto no es una transacción firmada del todo.",
    notSignedFor: "Esto no es una transacción firmada del todo de este pago.",
    notThisPayment: "Esta transacción no hace el pago de esta página.",
    tooLate: "Pasó demasiado tiempo; no se envió nada. Pulse otra vez.",
    otherWallet: "Esto tiene que firmarlo otra billetera.",
    solForFee: (wallet, sol) => `A ${wallet} le faltan ${sol} para la tarifa de la red.`,
    solForDeposits: (wallet, sol) => `A ${wallet} le faltan ${sol} para tarifa y depósitos.`,
    theWallet: "la billetera",
    wouldFail: "La red rechazaría esto ahora. No se cambió nada.",
    notSponsored: "Ahora no podemos pagar la tarifa por usted. Reintente o añada SOL.",
    alreadyPaid: "Esta billetera ya pagó. El pago se está confirmando.",
    paymentWouldFail: "La red rechazaría esto ahora. No se pagó nada.",
    offerExpired: "Pasó demasiado tiempo. No se pagó nada. Inténtelo otra vez.",
    arbiterChanged: "El decisor cambió; no se pagó nada. Compruebe quién es y reintente.",
    accountFrozen: "El emisor del token ha congelado esta cuenta. No puede pagar.",
    isRecipient: "Esta billetera es la que cobra. Pague con otra.",
    isProgram: "Esta cuenta es de un programa y no puede pagar por sí misma.",
    tokenShort: (wallet, has, needed) => `${wallet} tiene ${has}; hacen falta ${needed}.`,
    tokenLacks: (wallet, missing) => `A ${wallet} le faltan ${missing}.`,
    notPayable: {
      paid: "Esto ya está pagado. No hace falta nada más.",
      expired: "El plazo de pago ha terminado. Pida a la tienda un enlace nuevo.",
      canceled: "La tienda canceló este pago. No lo pague, por favor.",
    },
    held: "Los pagos están en pausa mientras se revisa un cambio. Inténtelo más tarde.",
    notAccepted: "La tienda no puede aceptar este pago. No se pagó nada. Pregúntele.",
    notScreened: "Ahora no se pueden comprobar los pagos. No se pagó nada. Reintente.",
    noSeat: {
      full: "No quedan plazas. Las no pagadas pueden quedar libres en minutos.",
      has_paid: "Esta billetera ya pagó con este enlace. Use otra.",
      closed: "La tienda ha cerrado este enlace. No pague, por favor.",
    },
    obstacles: {
      payment_closed: "Este pago terminó hace tiempo, y su registro está cerrado.",
      already_paid_out: "Todo el dinero ya ha salido. No queda nada por hacer.",
      already_decided: "Ya está decidido quién recibe el dinero.",
      already_disputed: "Ya hay una disputa abierta.",
      not_disputed: "No hay ninguna disputa abierta para este pago.",
      protection_over: "El plazo para abrir una disputa ha terminado.",
      protection_running: "El plazo para abrir una disputa aún no ha terminado.",
      arbitration_over: "Pasaron 90 días desde la disputa. Todo puede volver al comprador.",
      arbitration_running: "Esto es posible 90 días después de abrir la disputa.",
      nothing_due: "Ahora no se puede pagar nada.",
      invalid_total: "El importe ya no es posible. Vuelva a cargar la página y revíselo.",
      less_bound: "Falta el reembolso de la tienda. Recargue y revise el importe.",
      not_paid_out: "Parte del dinero aún no ha salido.",
      retention_running: "El depósito se puede devolver 90 días después del último pago.",
      vault_open: "La cuenta de tokens del pago sigue abierta. Inténtelo más tarde.",
      vault_short: "El emisor sacó tokens del contrato inteligente. Pida ayuda a la tienda.",
      vault_frozen: "El emisor del token ha congelado el dinero de este pago.",
      rent_risen: "El depósito cuesta más ahora. Solo lo devuelve la billetera que lo pagó.",
      rent_payer_short: "La billetera que recibe el depósito tiene poco SOL.",
      destination_missing: "La billetera que cobra aún no tiene cuenta para este token.",
      destination_frozen: "El emisor del token ha congelado la cuenta que cobra.",
    },
    dispute: {
      none: "No hay ninguna disputa sobre este pago.",
      notOpen: "Todavía no hay ninguna disputa abierta para este pago.",
      prove: "Demuestre primero que esta billetera pagó. La página le guía.",
      proveAgain: "Termine abajo el acceso de este navegador y demuestre la billetera otra vez.",
      smartWallet: "Una billetera inteligente se demuestra con una nota en la cadena.",
      noWay: "No existe esa forma de demostrar una billetera.",
      accessEnded: "Este acceso ya ha terminado.",
      reason: "Elija un motivo.",
      text: "Escriba hasta 5.000 caracteres de texto sin formato.",
      sentence: "Escriba hasta 500 caracteres de texto sin formato.",
      characters: "El texto tiene caracteres que no se pueden guardar.",
      amount: "Escriba como máximo el importe que pagó.",
      offerUntil: "Una oferta está abierta de una hora a 14 días, en los 90 días de la disputa.",
      email: "Escriba una dirección de correo.",
      noEmails: "Este servicio no envía correos.",
      tooManyLinks: "Se enviaron demasiados enlaces. Inténtelo otra vez mañana.",
      linkEnded: "Este enlace ya no sirve. Escriba su dirección otra vez.",
    },
    proofs: {
      outdated: "Esta petición ya se usó, caducó o es de otro navegador. Empiece de nuevo.",
      wrong: "Lo firmado no es exactamente lo que vale ahora. Recargue la página y revíselo.",
      changed: "Lo que firmó ya no vale. Recargue la página y revíselo.",
      notLanded: "La red todavía no muestra esta transacción. Inténtelo otra vez.",
      noMemo: "Esta transacción no tiene ninguna nota que la billetera firmara para esto.",
    },
    disputeChanged: {
      paused: "La red revirtió la disputa. Espere a que la muestre otra vez.",
      deciding: "El decisor resuelve ahora.",
      agreed: "Ustedes ya están de acuerdo. Firme lo que falta.",
      decided: "El decisor ha resuelto. No se puede añadir nada.",
      closed: "Esta disputa está cerrada.",
      already_given: "Ya escribió qué va mal. Escriba otra respuesta.",
      already_asked: "Ya ha pedido una decisión.",
      not_your_turn: "El decisor resuelve. A la tienda se le puede responder una vez, en 48 horas.",
      limit_reached: "Ha usado todo lo que una parte puede escribir o enviar en una disputa.",
      daily_limit_reached: "Por hoy es suficiente. Puede escribir otra vez mañana (UTC).",
      refund_exceeds: "La tienda ya ha devuelto más que eso.",
      offer_not_open: "Esta oferta ya no está abierta. Vuelva a cargar la página.",
      agreement_failed: "Un acuerdo ya fracasó. Ahora resuelve el decisor.",
    },
    files: {
      none: "No hay tal archivo en esta disputa.",
      name: "Dé al archivo un nombre sencillo de hasta 100 caracteres.",
      size: "Un archivo tiene de 1 byte a 5 megabytes.",
      unread: "No se pudo leer el archivo. Elíjalo otra vez.",
      busy: "Hay demasiados archivos en camino. Inténtelo otra vez en un momento.",
      ended: "El envío terminó, o su archivo ya llegó. Elija el archivo otra vez.",
      changed: "Estos no son los bytes anunciados. Envíe el archivo otra vez.",
      tooLong: "El archivo es más largo de lo anunciado. Elíjalo otra vez.",
      tooShort: "El archivo es más corto de lo anunciado. Elíjalo otra vez.",
      encoded: "Envíe el archivo sin Content-Encoding.",
      late: "El archivo no llegó a tiempo. Inténtelo otra vez.",
      broken: "La conexión se cortó mientras se enviaba el archivo.",
      failed: "El servicio falló. Inténtelo otra vez.",
      content: {
        type: "Envíe una imagen PNG, JPEG o WebP, un PDF o texto sin formato.",
        broken: "La imagen está dañada o se mueve. Guárdela otra vez, o envíe un PDF.",
        pixels: "Esta imagen tiene más de 40 megapíxeles. Envíe una más pequeña.",
      },
    },
    x402: {
      payload: "PAYMENT-SIGNATURE no tiene datos x402 del esquema protected.",
      offerEnded: "La oferta ha terminado.",
      pending: "El pago está en camino. Envíe la misma solicitud otra vez.",
      paidBefore: "Ya se había pagado. Su pago espera; pida el reembolso a la tienda.",
    },
    receiptUnchecked: "Este pago se está comprobando. Inténtelo otra vez.",
    receiptUnsigned: "Ahora no se pueden firmar recibos aquí.",
    receiptUnknown: "Aquí no se conoce ningún pago en esta dirección.",
  },
};
