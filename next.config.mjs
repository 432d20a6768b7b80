/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  compress: true,
  reactStrictMode: true,
  // addresses of earlier releases
  redirects: async () => [{ source: "/knowledge/passages/:id", destination: "/knowledge/chunks/:id", permanent: true }],
  experimental: {
    // lets a page answer 403 if the member's role does not allow it
    authInterrupts: true,
    // most builds are the only one of their clone, and writing the cache takes a third of their time
    turbopackFileSystemCacheForBuild: false,
  },
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
