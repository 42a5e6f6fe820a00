import { useState } from 'react';

export function Borrow() {
  const [count, setCount] = useState(0);
  return (
    <div className="desk">
      <button type="button" className="borrow" onClick={() => setCount(count + 1)}>
        Borrow ({count})
      </button>
      {count > 0 && <p className="note">Back within a month, please.</p>}
    </div>
  );
}
