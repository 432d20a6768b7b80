/** The provider's package reads this variable on import and refuses an empty value; here, empty means unset. */
if (process.env.OPENAI_BASE_URL?.trim() === "") delete process.env.OPENAI_BASE_URL;
