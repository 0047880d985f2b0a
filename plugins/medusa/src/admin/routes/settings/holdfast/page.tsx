import { defineRouteConfig } from "@medusajs/admin-sdk";
import { Button, Container, Heading, Input, Label, Select, Text, Textarea, toast } from "@medusajs/ui";
import { type FormEvent, useEffect, useState } from "react";
import { call } from "../../../api";

interface Settings {
  readonly recipient: string | null;
  readonly protection_period: string;
  readonly tokens: Readonly<Record<string, { readonly mint: string; readonly amounts: string }>>;
}

interface Answer {
  readonly settings: Settings;
  readonly service_url: string;
  readonly environment: string;
}

/** The result of trying settings: what a buyer pays, or why nobody can, in each currency. */
interface Tried {
  readonly pays: readonly string[];
  readonly problems: readonly string[];
}

const PERIODS = {
  oneHour: "One hour",
  oneDay: "One day",
  threeDays: "Three days",
  sevenDays: "Seven days",
  fourteenDays: "Fourteen days",
  thirtyDays: "Thirty days",
} as const;

/** Each line has a currency's code, the token's mint, and `price` or `amount`. */
const write = (tokens: Settings["tokens"]): string =>
  Object.entries(tokens)
    .map(([currency, { mint, amounts }]) => `${currency} ${mint} ${amounts}`)
    .join("\n");
const read = (text: string): Settings["tokens"] =>
  Object.fromEntries(
    text
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter(([currency]) => currency !== "")
      .map(([currency, mint = "", amounts = "price"]) => [currency!.toLowerCase(), { mint, amounts }]),
  );

const SettingsPage = () => {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [recipient, setRecipient] = useState("");
  const [period, setPeriod] = useState("sevenDays");
  const [tokens, setTokens] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [isOrdering, setIsOrdering] = useState(false);
  useEffect(() => {
    call<Answer>("/admin/holdfast/settings").then(
      (found) => {
        setAnswer(found);
        setRecipient(found.settings.recipient ?? "");
        setPeriod(found.settings.protection_period);
        setTokens(write(found.settings.tokens));
      },
      (error: Error) => setFailure(error.message),
    );
  }, []);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    setIsSaving(true);
    try {
      const settings: Settings = { recipient, protection_period: period, tokens: read(tokens) };
      const { pays, problems } = await call<Tried>("/admin/holdfast/settings", settings);
      if (problems.length === 0) toast.success("Saved and tried", { description: pays.join(" ") });
      else setFailure(["Saved.", ...problems, ...pays].join(" "));
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setIsSaving(false);
    }
  };
  const placeTestOrder = async () => {
    setFailure(null);
    setIsOrdering(true);
    try {
      const { order_id } = await call<{ readonly order_id: string }>("/admin/holdfast/test-order", {});
      // Below whatever path the shop's admin has.
      window.location.assign(`../orders/${order_id}`);
    } catch (error) {
      setFailure((error as Error).message);
      setIsOrdering(false);
    }
  };
  return (
    <Container className="divide-y p-0">
      <div className="px-6 py-4">
        <Heading>Holdfast</Heading>
        {answer !== null && (
          <Text size="small" className="text-ui-fg-subtle">
            {answer.service_url}, environment {answer.environment}
          </Text>
        )}
      </div>
      <form className="flex flex-col gap-y-4 px-6 py-4" onSubmit={save}>
        <div>
          <Label htmlFor="recipient">Recipient: the wallet to be paid</Label>
          <Input id="recipient" value={recipient} onChange={({ target }) => setRecipient(target.value)} />
        </div>
        <div>
          <Label htmlFor="period">Time in which the buyer may dispute</Label>
          <Select value={period} onValueChange={setPeriod}>
            <Select.Trigger id="period">
              <Select.Value />
            </Select.Trigger>
            <Select.Content>
              {Object.entries(PERIODS).map(([value, label]) => (
                <Select.Item key={value} value={value}>
                  {label}
                </Select.Item>
              ))}
            </Select.Content>
          </Select>
        </div>
        <div>
          <Label htmlFor="tokens">Tokens: a line for each currency, as “usd mint price”</Label>
          <Textarea id="tokens" rows={4} value={tokens} onChange={({ target }) => setTokens(target.value)} />
          <Text size="small" className="text-ui-fg-subtle">
            “price”: Holdfast makes the amount by its rate. “amount”: one unit of the currency is one token.
          </Text>
        </div>
        {failure !== null && (
          <Text size="small" className="text-ui-fg-error" role="alert">
            {failure}
          </Text>
        )}
        <div className="flex gap-x-2">
          <Button type="submit" isLoading={isSaving}>
            Save
          </Button>
          {answer?.environment === "test" && (
            <Button type="button" variant="secondary" isLoading={isOrdering} onClick={placeTestOrder}>
              Place a test order
            </Button>
          )}
        </div>
      </form>
    </Container>
  );
};

export const config = defineRouteConfig({ label: "Holdfast" });

export default SettingsPage;
