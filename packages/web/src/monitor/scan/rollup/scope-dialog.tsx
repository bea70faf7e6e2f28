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

/** The most scans, and the most groups, that one question to the server may name. */
const mostChosen = 100

type Props = { chosen: RollupScope; onApply: (next: RollupScope) => void; onClose: () => void }

/** Which scans and groups the board is about. */
export function ScopeDialog({ chosen: before, onApply, onClose }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const choices = useQuery(rollupChoicesQuery(api))
  const [chosen, setChosen] = useState<RollupScope>({ scanId: before.scanId, groupId: before.groupId })
  const [tooMany, setTooMany] = useState(false)
  const submit = () => {
    const many = Math.max(chosen.scanId.length, chosen.groupId.length) > mostChosen
    setTooMany(many)
    if (!many) onApply(chosen)
  }
  return (
    <Dialog title={t`Choose scans and groups`} onClose={onClose}>
      <p>{t`The dashboard summarizes the chosen scans and those of the chosen groups. If none are chosen, it covers all scans.`}</p>
      <QueryState query={choices} loadingLabel={t`Loading scans`} failureTitle={t`The scans could not be loaded.`} />
      {choices.data && (
        <form
          noValidate
          className={layout.stack}
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          {choices.data.groups.length > 0 && (
            <PickList
              legend={t`Scan groups`}
              items={choices.data.groups}
              selectedIds={chosen.groupId}
              onChange={(groupId) => setChosen({ ...chosen, groupId })}
            />
          )}
          <PickList
            legend={t`Scans`}
            items={choices.data.scans}
            selectedIds={chosen.scanId}
            onChange={(scanId) => setChosen({ ...chosen, scanId })}
          />
          <p role="alert" className={layout.bad}>
            {tooMany && t`Choose at most ${mostChosen} scans, or put them into a group and choose that.`}
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
