import { type Database, openDatabase } from "../../server/store/database.ts";
import { PATIENT } from "../../server/store/testing.ts";
import { databaseUrlOf } from "../harness/apiProcess.ts";
import { type RunningService, type Service, type ServiceOptions, startService } from "../harness/service.ts";

/** Opens a running service's own database, to arrange rows in it or to read them. The caller closes it before the service ends. */
export const openServiceDatabase = async (service: Pick<RunningService, "dataDir">): Promise<Database> =>
  openDatabase({
    connection: { connectionString: await databaseUrlOf(service) },
    connectionsMax: 4,
    statementTimeoutMs: 120_000,
    times: PATIENT,
    log: () => undefined,
  });

/** A service whose database is open to the test. */
export interface OpenService extends Service {
  readonly database: Database;
}

export async function startOpenService(options: ServiceOptions = {}): Promise<OpenService> {
  const service = await startService(options);
  const database = await openServiceDatabase(service);
  return {
    ...service,
    database,
    remove: async () => {
      await database.close();
      await service.remove();
    },
  };
}
