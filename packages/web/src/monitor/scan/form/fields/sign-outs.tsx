import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMutation } from '../../../../kit/client/use-mutation.ts'
import { Button } from '../../../../kit/control/button.tsx'
import { useToast } from '../../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../../kit/dialog/use-show-error.ts'
import layout from '../../../../kit/page/layout.module.css'
import { useSession } from '../../../user/model.ts'
import { scanEditQuery } from '../../queries.ts'

/** Links that ended the session of a run, which later runs leave out. Each can be forgotten at once. */
export function SignOutList({ scanId }: { scanId: ScanId }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const showToast = useToast()
  const showError = useShowError()
  const [forgotten, setForgotten] = useState<readonly string[]>([])
  const forget = useMutation({
    mutationFn: (pattern: string) => apiClient.forgetSignOut({ params: { id: scanId }, query: { pattern } }),
    onSuccess: (_reply, pattern) => {
      setForgotten((previous) => [...previous, pattern])
      showToast('confirmation', t`The next run opens this link again.`)
    },
    onError: showError,
  })
  const patterns = useQuery(scanEditQuery(apiClient, scanId)).data?.stored.signOutUrls ?? []
  const remaining = patterns.filter((pattern) => !forgotten.includes(pattern))
  if (remaining.length === 0) return null
  return (
    <section aria-labelledby="sign-outs">
      <h3 id="sign-outs">{t`Links that ended the session`}</h3>
      <p className={layout.muted}>{t`A run was signed out right after it opened them. Later runs leave them out.`}</p>
      <ul>
        {remaining.map((pattern) => (
          <li key={pattern} className={layout.break}>
            {pattern}{' '}
            <Button small kind="quiet" label={t`Forget ${pattern}`} onPress={() => forget.mutate(pattern)}>
              {t`Forget`}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
