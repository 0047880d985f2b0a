import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from "@nestjs/common";
import { type PaymentMethod, UserInputError } from "@vendure/core";
import { from, mergeMap, type Observable, switchMap } from "rxjs";
import { findProblem, type Operation } from "./attempts";
import { Shop } from "./shop";

interface SaveArgs {
  readonly input?: {
    readonly enabled?: boolean;
    readonly handler?: { readonly code: string; readonly arguments: Operation["args"] };
  };
}

/**
 * Tries the settings of a payment method that buyers can choose. A new one by which nobody can pay is refused; a change is saved, and refused in words
 * after the transaction that saved it.
 */
@Injectable()
export class TrySettings implements NestInterceptor {
  @Inject(Shop) private readonly shop!: Shop;

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType<string>() !== "graphql") return next.handle();
    const [, { input }, , info] = context.getArgs<[unknown, SaveArgs, unknown, { readonly fieldName: string }]>();
    if (info.fieldName === "createPaymentMethod" && input?.handler && input.enabled) {
      const { code, arguments: args } = input.handler;
      return from(this.check({ code, args }, "")).pipe(switchMap(() => next.handle()));
    }
    if (info.fieldName !== "updatePaymentMethod") return next.handle();
    return next.handle().pipe(
      // Vendure hands on a promise, which ends with the transaction.
      mergeMap(async (saving: Promise<PaymentMethod>) => {
        const saved = await saving;
        if (saved.enabled) await this.check(saved.handler, "Saved. ");
        return saved;
      }),
    );
  }

  private async check(handler: Operation, before: string): Promise<void> {
    const problem = await findProblem(this.shop, handler);
    if (problem !== null) throw new UserInputError(`${before}Nobody can pay by these settings. ${problem}`);
  }
}
