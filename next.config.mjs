/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  compress: true,
  reactStrictMode: true,
  // lets a page answer 403 if the member's role does not allow it
  experimental: { authInterrupts: true },
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["onnxruntime-node", "@node-rs/argon2", "pino", "postgres", "@huggingface/tokenizers", "eld"],
};

export default config;
