import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import layout from '../../../kit/page/layout.module.css'
import { PickList } from '../../../kit/form/pick-list.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import type { RollupScope } from './model.ts'
import { rollupChoicesQuery } from './queries.ts'

/** Maximum number of scans, and of groups, in one request. */
const maxChosen = 100

type ScopeDialogProps = { initialScope: RollupScope; onApply: (next: RollupScope) => void; onClose: () => void }

export function ScopeDialog({ initialScope, onApply, onClose }: ScopeDialogProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const scopeChoices = useQuery(rollupChoicesQuery(apiClient))
  const [selectedScope, setSelectedScope] = useState<RollupScope>({ scanId: initialScope.scanId, groupId: initialScope.groupId })
  const [isOverLimit, setIsOverLimit] = useState(false)
  const applyScope = () => {
    const exceedsLimit = Math.max(selectedScope.scanId.length, selectedScope.groupId.length) > maxChosen
    setIsOverLimit(exceedsLimit)
    if (!exceedsLimit) onApply(selectedScope)
  }
  return (
    <Dialog title={t`Choose scans and groups`} onClose={onClose}>
      <p>{t`The dashboard summarizes the chosen scans and those of the chosen groups. If none are chosen, it covers all scans.`}</p>
      <QueryState query={scopeChoices} loadingLabel={t`Loading scans`} failureTitle={t`The scans could not be loaded.`} />
      {scopeChoices.data && (
        <form
          noValidate
          className={layout.stack}
          onSubmit={(event) => {
            event.preventDefault()
            applyScope()
          }}
        >
          {scopeChoices.data.groups.length > 0 && (
            <PickList
              legend={t`Scan groups`}
              items={scopeChoices.data.groups}
              selectedIds={selectedScope.groupId}
              onChange={(groupId) => setSelectedScope({ ...selectedScope, groupId })}
            />
          )}
          <PickList
            legend={t`Scans`}
            items={scopeChoices.data.scans}
            selectedIds={selectedScope.scanId}
            onChange={(scanId) => setSelectedScope({ ...selectedScope, scanId })}
          />
          <p role="alert" className={layout.bad}>
            {isOverLimit && t`Choose at most ${maxChosen} scans, or put them into a group and choose that.`}
          </p>
          <DialogActions>
            <Button onPress={onClose}>{t`Cancel`}</Button>
            <Button kind="primary" type="submit">{t`Apply`}</Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
