import { Navigate, createRootRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AppShell } from './shell/shell.tsx'

type PartialOrUndefined<T> = { [K in keyof T]?: T[K] | undefined }
/** Every search parameter is optional; the schema supplies its default. */
export const searchValidator = <T extends z.ZodMiniType>(schema: T) => ({
  types: {} as { input: PartialOrUndefined<z.output<T>>; output: z.output<T> },
  parse: (search: unknown) => z.parse(schema, search),
})

export const rootRoute = createRootRoute({ component: AppShell, notFoundComponent: () => <Navigate to="/scans" replace /> })
