const urlPattern = /(https?:\/\/[^\s<>"]+)/
// A full stop or a bracket after a URL belongs to the sentence.
const tail = /[.,;:!?)\]}'’”»]{1,8}$/

/** A text that people wrote; the URLs in it are links. */
export function LinkedText({ text }: { text: string }) {
  return text.split(urlPattern).map((part, i) => {
    if (i % 2 === 0) return part
    const end = tail.exec(part)?.[0] ?? ''
    const url = part.slice(0, part.length - end.length)
    return (
      <span key={i}>
        <a href={url} target="_blank" rel="noopener noreferrer">
          {url}
        </a>
        {end}
      </span>
    )
  })
}
