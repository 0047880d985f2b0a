/** The accounts on chain at the addresses of a deployment: its program, and its operator account. */
export interface Deployment {
  readonly program: ProgramAtAddress;
  readonly operator: OperatorAtAddress;
}

/** `account`: neither a wallet nor a program, but for example a token account. */
export type NotProgram = "nothing" | "wallet" | "account" | "closed_program" | "program_of_unknown_loader";
export type NotOperator = "nothing" | "wallet" | "program" | "account" | "payment";

export type ProgramAtAddress = DeployedProgram | { readonly kind: NotProgram };
export type OperatorAtAddress =
  | OperatorState
  | {
      readonly kind: NotOperator;
      /** The operator account whose first authority is at this address; null: there is none. */
      readonly operatorOfIt: string | null;
    };

interface DeployedProgram {
  readonly kind: "program";
  /** The address is null if the program cannot be replaced. */
  readonly upgradeAuthority: string | null;
  /** The slot of its newest deployment. */
  readonly deployedSlot: number;
}

/** The operator account: the holder of each office, and the one proposed for it. */
interface OperatorState {
  readonly kind: "operator";
  readonly authority: string;
  readonly arbiter: string;
  readonly pendingAuthority: string | null;
  readonly pendingArbiter: string | null;
}
