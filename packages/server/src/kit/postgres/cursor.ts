import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import Cursor from 'pg-cursor'

/** What is used of the driver's cursor: its types do not name the connection, which it has once it was asked. */
type Driver = {
  connection: (EventEmitter & { stream: Duplex }) | null
  read(rows: number): Promise<unknown[]>
  close(): Promise<void>
}
const DriverCursor = Cursor as unknown as new (text: string, values: unknown[]) => Driver

/** A copy that goes silent has a question given up a little after it should have ended it. */
export const silenceMsOf = (statementSeconds = 0): number =>
  statementSeconds === 0 ? 0 : (statementSeconds + 5) * 1000

/**
 * The driver's cursor waits for ever for a server that says nothing any more, and for the answer to its end on a connection that
 * is gone. Here each portion has its time: a connection that lets it pass is broken off. 0 for no such time.
 */
export const boundedCursor = (silenceMs: number) =>
  class BoundedCursor<Row> extends DriverCursor {
    override read(rows: number): Promise<Row[]> {
      return this.#within(super.read(rows) as Promise<Row[]>)
    }

    override async close(): Promise<void> {
      const { connection } = this
      if (!connection || connection.stream.destroyed) return
      // The connection goes back to its pool, and must not keep what was waited for once.
      const gone = Promise.withResolvers<void>()
      connection.once('end', gone.resolve)
      await this.#within(Promise.race([super.close(), gone.promise])).finally(() =>
        connection.off('end', gone.resolve),
      )
    }

    async #within<T>(answer: Promise<T>): Promise<T> {
      if (silenceMs === 0) return answer
      const timer = setTimeout(() => this.connection?.stream.destroy(), silenceMs)
      return answer.finally(() => clearTimeout(timer))
    }
  }
