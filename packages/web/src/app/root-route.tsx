import { Navigate, createRootRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { Shell } from './shell/shell.tsx'

type Loose<T> = { [K in keyof T]?: T[K] | undefined }
/** Every search parameter may be left out: the schema gives it its default. */
export const validate = <T extends z.ZodMiniType>(schema: T) => ({
  types: {} as { input: Loose<z.output<T>>; output: z.output<T> },
  parse: (search: unknown) => z.parse(schema, search),
})

export const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => <Navigate to="/scans" replace />,
})
