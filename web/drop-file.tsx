import { type DragEvent, type ReactNode, useState } from 'react'
import { useSay } from './words.js'

/** A place to drop a file on, or to choose one by the keyboard. */
export function DropFile({
  accept,
  onFile,
  children,
}: {
  readonly accept?: string
  readonly onFile: (file: File) => void
  readonly children: ReactNode
}) {
  const say = useSay()
  const [isOver, setIsOver] = useState(false)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setIsOver(false)
    const [file] = event.dataTransfer.files
    if (file !== undefined) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same by keyboard
    <div
      className={`drop${isOver ? ' over' : ''}`}
      onDragOver={event => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      {children}
      <label className="button">
        {say('web.drop.choose', {})}
        <input
          type="file"
          className="visually-hidden"
          accept={accept}
          onChange={event => {
            const file = event.target.files?.[0]
            if (file !== undefined) onFile(file)
            event.target.value = ''
          }}
        />
      </label>
    </div>
  )
}
