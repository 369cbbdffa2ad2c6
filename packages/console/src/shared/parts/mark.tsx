export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M3 29V15a13 13 0 0 1 26 0v14h-8v-9a5 5 0 0 0-10 0v9z" />
      <path class="fire" d="M16 17c2.4 2.8 3.5 4.7 3.5 7a3.5 3.5 0 0 1-7 0c0-2.300 1.100-4.200 3.500-7z" />
    </svg>
  )
}
