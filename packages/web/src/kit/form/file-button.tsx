import type { ReactNode } from 'react'
import { useRef } from 'react'
import { Button } from '../control/button.tsx'

type Props = {
  /** As the attribute of the input: ".json,.yaml". */
  accept: string
  multiple?: boolean
  children: ReactNode
  onFiles: (files: readonly File[]) => void
}

/** A button that asks for files of this computer. The same file may be chosen again. */
export function FileButton({ accept, multiple = false, children, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button onPress={() => input.current?.click()}>{children}</Button>
      <input
        ref={input}
        hidden
        type="file"
        accept={accept}
        multiple={multiple}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}
