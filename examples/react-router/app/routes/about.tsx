export default function About() {
  return (
    <main>
      <h1>At the old pier</h1>
      <p className="hours">Open from ten to six.</p>
    </main>
  );
}
