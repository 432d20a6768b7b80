/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  compress: true,
  reactStrictMode: true,
  // lets a page answer 403 if the member's role does not allow it
  // addresses of earlier releases
  redirects: async () => [{ source: "/knowledge/passages/:id", destination: "/knowledge/chunks/:id", permanent: true }],
  experimental: { authInterrupts: true },
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    "onnxruntime-node",
    "@node-rs/argon2",
    "pino",
    "postgres",
    "@huggingface/tokenizers",
    "eld",
    // otherwise every route has a copy
    "zod",
  ],
};

export default config;
