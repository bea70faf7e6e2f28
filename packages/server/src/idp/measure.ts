import { Counter } from 'prom-client'
import { exportMetrics } from '../kit/metrics/registry.ts'
import type { SignInAttempt } from './sign-in/routes.ts'

const signInCounter = new Counter({
  name: 'clearway_sign_ins_total',
  help: 'Sign-in attempts at the embedded identity provider, by result.',
  labelNames: ['result'],
  registers: [],
})

/** Exports the number of sign-ins, from 0. For the process of the identity provider. */
export function exportSignInMetrics(): void {
  exportMetrics([signInCounter])
  for (const result of ['in', 'missing', 'wrong', 'too-many'] as const) signInCounter.inc({ result }, 0)
}

export const countSignIn = ({ result }: SignInAttempt): void => signInCounter.inc({ result })
