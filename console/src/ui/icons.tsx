// The few drawings the console uses, as inline SVG in the colour of the text around them.
import type { ComponentChildren } from 'preact'

function Icon({ children, size = 16 }: { children: ComponentChildren; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

export const CopyIcon = () => (
  <Icon>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
  </Icon>
)
export const CheckIcon = () => (
  <Icon>
    <path d="M3 8.5l3.2 3L13 4.5" />
  </Icon>
)
export const CrossIcon = () => (
  <Icon>
    <path d="M4 4l8 8M12 4l-8 8" />
  </Icon>
)
export const PlusIcon = () => (
  <Icon>
    <path d="M8 3v10M3 8h10" />
  </Icon>
)
export const DownloadIcon = () => (
  <Icon>
    <path d="M8 2.5v8M4.8 7.5L8 10.7l3.2-3.2M3 13.5h10" />
  </Icon>
)
export const SunIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="2.8" />
    <path d="M8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1" />
  </Icon>
)
export const MoonIcon = () => (
  <Icon>
    <path d="M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z" />
  </Icon>
)
export const PictureIcon = ({ size = 16 }: { size?: number }) => (
  <Icon size={size}>
    <rect x="1.8" y="3" width="12.4" height="10" rx="1.5" />
    <circle cx="5.4" cy="6.4" r="1.1" />
    <path d="M2.2 11.6l3.4-3 2.4 2 2.8-3.2 3 3.4" />
  </Icon>
)
export const SearchIcon = () => (
  <Icon>
    <circle cx="7" cy="7" r="4.2" />
    <path d="M10.2 10.2l3.3 3.3" />
  </Icon>
)
/** The mark of the house: a play triangle. */
export const Mark = () => (
  <svg class="mark" width="16" height="18" viewBox="4 1 14 18" aria-hidden="true">
    <path d="M4 3.2v13.6a1 1 0 0 0 1.5.87l11.8-6.8a1 1 0 0 0 0-1.74L5.5 2.33A1 1 0 0 0 4 3.2z" fill="currentColor" />
  </svg>
)
