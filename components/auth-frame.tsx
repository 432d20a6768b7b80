import type { ReactNode } from "react";
import { Logo } from "@/components/logo.tsx";
import { ThemeToggle } from "@/components/theme-toggle.tsx";

interface AuthFrameProps {
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
}

/** Layout of pages outside the dashboard: a form on the left, and on wide screens a picture on the right. */
export function AuthFrame({ title, description, children }: AuthFrameProps) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="flex flex-col px-6 py-6 sm:px-10">
        <header className="flex items-center justify-between">
          <Logo />
          <ThemeToggle />
        </header>
        <main className="m-auto grid w-full max-w-sm gap-7 py-12">
          <div className="grid gap-1.5">
            <h1 id="page-title" className="font-semibold text-2xl tracking-tight">
              {title}
            </h1>
            {description && <div className="text-balance text-muted">{description}</div>}
          </div>
          {children}
        </main>
      </div>
      <Strata />
    </div>
  );
}

/** Decorative picture of rock layers, one of them highlighted. */
function Strata() {
  return (
    <div className="relative hidden overflow-hidden border-border border-l bg-subtle lg:block" aria-hidden>
      <svg
        viewBox="0 0 600 900"
        preserveAspectRatio="xMidYMid slice"
        className="absolute inset-0 size-full"
        role="none"
      >
        <g className="fill-foreground">
          <path
            d="M0 250c80-16 130 22 210 12s120-44 200-34 120 30 190 12v92c-60 16-110 2-190 6S250 380 170 372 60 350 0 362Z"
            opacity=".035"
          />
          <path
            d="M0 372c60-12 100 0 170 8s170-38 240-36 130 10 190-6v74c-80 20-140-4-220 8s-130 40-210 30-110-22-170-8Z"
            opacity=".06"
          />
          <path
            d="M0 600c70-18 120 14 200 8s140-40 220-30 110 22 180 6v96c-70 18-120-6-200 2s-150 36-230 26-110-18-170-4Z"
            opacity=".08"
          />
          <path d="M0 716c60-14 100-4 170 6s150-18 230-26 130 16 200-2v206H0Z" opacity=".12" />
        </g>
        <path
          d="M0 454c60-14 90-2 170 8s130-18 210-30 140 12 220-8v148c-70 16-100 4-180-6s-140 24-220 30-130-26-200-8Z"
          className="fill-accent"
          opacity=".22"
        />
        <g className="stroke-accent" fill="none" strokeWidth="1.5">
          <path d="M0 500c70-14 100 4 180 10s120-20 210-30 140 14 210-4" opacity=".5" />
          <path d="M0 546c70-16 120 6 190 8s130-26 210-24 130 14 200 0" opacity=".3" />
        </g>
      </svg>
      <p className="absolute top-[12%] left-12 max-w-xs text-balance font-medium text-xl tracking-tight">
        What does your company know about this?
      </p>
    </div>
  );
}
