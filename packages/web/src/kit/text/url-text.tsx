import { Fragment } from 'react'

/** A URL that breaks after slashes, and elsewhere only where that is not enough. */
export function UrlText({ url }: { url: string }) {
  return (
    <span translate="no">
      {url.split(/(?<=\/)(?=[^/])/).map((part, index) => (
        // eslint-disable-next-line react/no-array-index-key -- Parts repeat, and never move.
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
