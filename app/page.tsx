export default function HomePage() {
  return <main>Ragstone</main>;
}
