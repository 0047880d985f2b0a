import type { Figure } from "../edge/http/metrics.ts";
import type { CellRun } from "./run.ts";

/** The figures of all cells: with several, each value has its cell as a label, and a cell that is away has none. */
export function figuresOf(cells: readonly Pick<CellRun, "number" | "figures">[]): readonly Figure[] {
  const [main, ...others] = cells;
  if (others.length === 0) return main!.figures;
  return main!.figures.map((figure, index) => ({
    ...figure,
    labels: [...figure.labels, "cell"],
    read: async () => {
      const read = async ({ number, figures }: (typeof cells)[number]) =>
        (await figures[index]!.read()).map(({ labels, value }) => ({
          labels: { ...labels, cell: String(number) },
          value,
        }));
      const answers = await Promise.allSettled(cells.map(read));
      return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    },
  }));
}
