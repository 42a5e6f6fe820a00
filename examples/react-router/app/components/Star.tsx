export function Star() {
  return (
    <svg className="star" viewBox="0 0 10 10" width="16" height="16" aria-hidden="true">
      <path d="M5 0 6 4h4L7 6l1 4-3-3-3 3 1-4-3-2h4z" />
    </svg>
  );
}
