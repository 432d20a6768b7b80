/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  compress: true,
  reactStrictMode: true,
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["onnxruntime-node", "@node-rs/argon2", "pino", "postgres", "@huggingface/tokenizers", "eld"],
};

export default config;
