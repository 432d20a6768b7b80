/** The provider's package reads this while it loads and refuses an empty one, which here means that none is set. */
if (process.env.OPENAI_BASE_URL?.trim() === "") delete process.env.OPENAI_BASE_URL;
