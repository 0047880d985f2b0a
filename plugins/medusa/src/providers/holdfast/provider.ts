import { type PaymentIntent, toDecimal } from "@holdfast/sdk";
import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  MedusaContainer,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from "@medusajs/framework/types";
import { AbstractPaymentProvider, MedusaError, PaymentActions, PaymentSessionStatus } from "@medusajs/framework/utils";
import { connect } from "../../connection";
import { minorOf, refundedShare, tokensOf } from "../../money";
import { isNamed, stateOf } from "../../session";

/**
 * Holdfast towards Medusa. It says only what the API shows: a session is authorized, and captured, once its intent is paid,
 * and money has been refunded once the chain shows that.
 */
export class HoldfastProvider extends AbstractPaymentProvider {
  static override identifier = "holdfast";

  /** Medusa makes it, so it is not protected, as that of its base is. */
  constructor(container: MedusaContainer, options: Record<string, unknown>) {
    super(container as never, options);
  }

  override async initiatePayment({ context }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    return { id: context?.idempotency_key ?? "", data: {}, status: PaymentSessionStatus.PENDING };
  }

  override async updatePayment({ data, amount, currency_code }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return { data: { ...data, currency_code, total: minorOf(amount, currency_code).toString() } };
  }

  override async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return { data: data ?? {} };
  }

  /** Without a paid intent the order is made and waits: its payment comes by event. */
  override async authorizePayment({ data, context }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const { intent, code, currency_code, total } = stateOf(data);
    const payment = isNamed(context?.idempotency_key, { intent, code })
      ? (await findIntent({ intent }))?.payment
      : null;
    if (payment?.role !== "primary") return { data: {}, status: PaymentSessionStatus.PENDING_AUTHORIZATION };
    return { data: { intent, payment: payment.id, currency_code, total }, status: PaymentSessionStatus.CAPTURED };
  }

  /** The chain holds the money; there is nothing to collect. */
  override async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    return { data: data ?? {} };
  }

  override async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return { data: data ?? {} };
  }

  /** Only the recipient's wallet can refund: what the chain does not show yet waits for its signature. */
  override async refundPayment({ data = {}, amount }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const { currency_code = "usd", total = "0", refunded = "0" } = stateOf(data);
    const payment = (await findIntent(data))?.payment;
    if (!payment) throw new MedusaError(MedusaError.Types.NOT_ALLOWED, "Holdfast shows no payment of this order.");
    const wanted = BigInt(refunded) + minorOf(amount, currency_code);
    if (wanted <= refundedShare(payment.refundTotal, payment.amount, BigInt(total)))
      return { data: { ...data, refunded: wanted.toString() } };
    const { symbol, decimals } = await connect().holdfast.assets.retrieve(payment.asset);
    const tokens = toDecimal(tokensOf(wanted, payment.amount, BigInt(total)).toString(), decimals);
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      `This refund waits for the signature of the recipient's wallet: refund a total of ${tokens} ${symbol ?? payment.asset} at ${await paymentPage(payment.id)}. The order shows it once it has landed.`,
    );
  }

  override async getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const { status } = await this.authorizePayment(input);
    return { data: input.data ?? {}, status };
  }

  override async retrievePayment({ data = {} }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return { data: { ...data, intent: await findIntent(data) } };
  }

  /** Medusa's own address for webhooks answers before anything is verified or stored: the plugin has its own. */
  async getWebhookActionAndData(): Promise<WebhookActionResult> {
    return { action: PaymentActions.NOT_SUPPORTED };
  }
}

async function findIntent(data: Record<string, unknown>): Promise<PaymentIntent | null> {
  const { intent } = stateOf(data);
  return intent === undefined ? null : connect().holdfast.paymentIntents.retrieve(intent);
}

/** The payment's page in the dashboard, where its recipient signs. */
export async function paymentPage(payment: string): Promise<string> {
  const { holdfast, serviceUrl } = connect();
  const { id, environment } = await holdfast.me.retrieve();
  return `${serviceUrl}/dashboard/${id}/${environment}/payments/${payment}`;
}
