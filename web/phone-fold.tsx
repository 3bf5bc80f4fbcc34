import { type ReactNode, useState } from 'react'

/** On a narrow screen behind a button, so that what the page is about comes first; elsewhere always open. */
export function PhoneFold({
  label,
  className = '',
  children,
}: {
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={`phone-fold${isOpen ? ' open' : ''} ${className}`}>
      <button type="button" className="phone-fold-button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {label}
      </button>
      <div className="phone-fold-body">{children}</div>
    </div>
  )
}
