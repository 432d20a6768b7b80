/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  compress: true,
  reactStrictMode: true,
  // a page that a role may not see answers 403
  experimental: { authInterrupts: true },
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["onnxruntime-node", "@node-rs/argon2", "pino", "postgres", "@huggingface/tokenizers", "eld"],
};

export default config;
