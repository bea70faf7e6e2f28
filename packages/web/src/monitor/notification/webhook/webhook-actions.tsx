import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { Webhook } from '@clearway/contract/monitor/notification/schema.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { useWebhookActions } from '../queries.ts'

/** Buttons that test, switch and delete a webhook. */
export function WebhookActions({ scanId, webhook }: { scanId: ScanId; webhook: z.output<typeof Webhook> }) {
  const { t } = useLingui()
  const showToast = useToast()
  const showError = useShowError()
  const navigateTo = useNavigate()
  const { changeMutation, testMutation, deleteMutation } = useWebhookActions()
  const [isDeleteOpen, setIsDeleteOpen] = useState(false)
  const { id: webhookId, url: webhookUrl, events, active: isActive } = webhook
  const path = { id: scanId, webhook: webhookId }
  const deleteWebhook = async () => {
    await deleteMutation.mutateAsync(path)
    showToast('confirmation', t`Webhook deleted.`)
    await navigateTo({ to: '/webhooks' })
  }
  return (
    <>
      <Button pending={testMutation.isPending} onPress={() => testMutation.mutate(path, { onError: showError })}>
        {t`Send a test message`}
      </Button>
      <Button
        pending={changeMutation.isPending}
        onPress={() =>
          changeMutation.mutate({ path, body: { url: webhookUrl, events, active: !isActive } }, { onError: showError })
        }
      >
        {isActive ? t`Switch off` : t`Switch on`}
      </Button>
      <Button kind="danger" onPress={() => setIsDeleteOpen(true)}>{t`Delete…`}</Button>
      {isDeleteOpen && (
        <Dialog alert title={t`Delete webhook`} onClose={() => setIsDeleteOpen(false)}>
          <p>{t`${webhookUrl} is no longer notified.`}</p>
          <DialogActions>
            <Button autoFocus onPress={() => setIsDeleteOpen(false)}>{t`Cancel`}</Button>
            <Button
              kind="danger"
              pending={deleteMutation.isPending}
              onPress={() => void deleteWebhook().catch(showError)}
            >{t`Delete webhook`}</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}
