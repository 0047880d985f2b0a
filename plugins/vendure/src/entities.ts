import { Column, Entity, Index, PrimaryColumn } from "typeorm";

/** An attempt to pay an order. It is saved before its intent is made, and its number is in the Idempotency-Key. */
@Entity()
export class HoldfastAttempt {
  @PrimaryColumn({ type: "varchar", length: 100 })
  orderCode!: string;

  @PrimaryColumn({ type: "int" })
  number!: number;

  /** Empty if the service refused the attempt; null while its answer is not known. */
  @Column({ type: "varchar", nullable: true })
  intent!: string | null;
}

/** An event of the service, stored before it is answered. Its id is that of the service, so a repeat is no second row. */
@Entity()
export class HoldfastEvent {
  @PrimaryColumn({ type: "varchar", length: 100 })
  id!: string;

  @Index()
  @Column({ type: "varchar", length: 100 })
  orderCode!: string;

  @Column({ type: "text" })
  body!: string;

  @Index()
  @Column({ type: "boolean", default: false })
  isHandled!: boolean;
}
