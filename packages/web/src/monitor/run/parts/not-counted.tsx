import { Plural } from '@lingui/react/macro'

/** Open issues of earlier runs on pages that a run did not test. Nothing for none. */
export function UntestedIssues({ count: waitingCount }: { count: number }) {
  if (waitingCount === 0) return null
  return (
    <Plural
      value={waitingCount}
      one="# issue of an earlier run was not tested again."
      other="# issues of earlier runs were not tested again."
    />
  )
}

/** Pages behind walls. Nothing for none. */
export function UnseenPages({ count: unseenCount }: { count: number }) {
  if (unseenCount === 0) return null
  return (
    <Plural
      value={unseenCount}
      one="The content of # page was not seen; it is not counted."
      other="The content of # pages was not seen; they are not counted."
    />
  )
}
